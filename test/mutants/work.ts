import type { Mutant } from './mutant.ts';

const SINGLE_FLIGHT = ['test/e2e/journeys/single-flight.spec.ts'];
const RECORDING = ['test/e2e/lenders/recording.spec.ts'];
const INBOX = ['test/e2e/lenders/inbox.spec.ts', 'test/e2e/journeys/late-answers.spec.ts'];
const CLAIMS = ['test/e2e/webhooks/claims.spec.ts'];
const INTENTS = 'src/journeys/store/intents.repository.ts';
const LEASES = 'src/webhooks/store/lane-leases.repository.ts';
const SHARES = 'src/webhooks/sender/slot-shares.ts';

/** Leases, fencing and what is done once on any number of replicas. */
export const WORK: readonly Mutant[] = [
  {
    id: 'two-actions-in-flight',
    rule: 'While an action is in flight a second one is 409, on any replica',
    file: INTENTS,
    find: 'AND (lease_until IS NULL OR lease_until < app_now())\n         AND $5',
    replace: 'AND $5',
    specs: SINGLE_FLIGHT,
  },
  {
    id: 'orphans-with-a-live-lease',
    rule: 'An intent is an orphan only when its lease has run out',
    file: INTENTS,
    find: 'AND (j.lease_until IS NULL OR j.lease_until < app_now())\n  ), free',
    replace: '), free',
    specs: SINGLE_FLIGHT,
    equivalent: 'Whoever takes one over must get its lease, which a live holder has.',
  },
  {
    id: 'action-beside-an-orphan',
    rule: 'An intent whose holder died is resolved before any other action is taken',
    file: 'src/journeys/use-cases/submit-action.service.ts',
    find: 'await this.resolveOrphan(seen, REST_SECONDS);',
    replace: '',
    specs: SINGLE_FLIGHT,
  },
  {
    id: 'late-holder-writes',
    rule: 'What the holder of a lease that was taken over knows is void',
    file: 'src/journeys/use-cases/submit-action.service.ts',
    find: '!journey || journey.leaseToken !== intent.fence',
    replace: '!journey',
    specs: SINGLE_FLIGHT,
  },
  {
    id: 'fence-stands-still',
    rule: 'Every taking of a lease has a fencing token of its own',
    file: INTENTS,
    find: 'SET lease_token = lease_token + 1,',
    replace: 'SET lease_token = lease_token,',
    specs: SINGLE_FLIGHT,
  },
  {
    id: 'lease-of-five-minutes',
    rule: 'A lease on a journey runs for 30 seconds',
    file: INTENTS,
    find: 'LEASE_SECONDS = 30',
    replace: 'LEASE_SECONDS = 300',
    specs: SINGLE_FLIGHT,
  },
  {
    id: 'moves-whatever-the-state',
    rule: 'Every change of state is conditional on the expected state',
    file: 'src/journeys/store/journeys.repository.ts',
    find: 'AND j.state = $2 AND j.id = ANY ($3)',
    replace: "AND $2 <> '' AND j.id = ANY ($3)",
    specs: SINGLE_FLIGHT,
    equivalent:
      'Every move reads the journey under its row’s lock first, so the state is the expected one; the ' +
      'condition is the second line of defence that decision 6 asks for.',
  },
  {
    id: 'journey-read-without-its-lock',
    rule: 'Whoever moves a journey holds its row',
    file: 'src/journeys/store/journeys.repository.ts',
    find: 'WHERE id = $1 AND partner_id = $2 FOR UPDATE`',
    replace: 'WHERE id = $1 AND partner_id = $2`',
    specs: ['test/e2e/journeys/answers-together.spec.ts'],
  },
  {
    id: 'answer-of-a-lender-counted-twice',
    rule: 'A lender’s answer that comes twice is stored once',
    file: 'src/lenders/store/lender-inbox.repository.ts',
    find: 'ON CONFLICT (lender_code, answer_id) DO NOTHING',
    replace: 'ON CONFLICT (id) DO NOTHING',
    specs: INBOX,
  },
  {
    id: 'late-question-recorded',
    rule: 'What a question’s void lease brings changes nothing of the question',
    file: 'src/lenders/store/question-statements.ts',
    find: 'ON q.id = p.id AND q.lease_token = p.lease_token AND q.status',
    replace: 'ON q.id = p.id AND q.status',
    specs: RECORDING,
  },
  {
    id: 'question-asked-by-two',
    rule: 'A question is with one worker at a time',
    file: 'src/lenders/store/question-statements.ts',
    find: 'AND (q.lease_until IS NULL OR q.lease_until < app_now())\n      ORDER',
    replace: 'ORDER',
    specs: [...RECORDING, 'test/e2e/lenders/backoff.spec.ts'],
    equivalent:
      'A claim also puts the next attempt at the end of the lease, so the question is not due before.',
  },
  {
    id: 'one-lender-takes-all-places',
    rule: 'One lender that hangs holds its own places and nobody else’s',
    file: 'src/lenders/question-worker.ts',
    find: 'SLOTS_A_LENDER = 16',
    replace: 'SLOTS_A_LENDER = 48',
    specs: ['test/e2e/lenders/places.spec.ts'],
  },
  {
    id: 'lanes-leased-to-two-senders',
    rule: 'A lane belongs to one sender at a time',
    file: LEASES,
    find: '(l.lease_until IS NULL OR l.lease_until <= moment.now OR l.lease_token = held.token)',
    replace: '(l.lease_until IS NULL OR l.lease_until IS NOT NULL)',
    specs: CLAIMS,
  },
  {
    id: 'six-in-flight-of-a-subscription',
    rule: 'At most five deliveries of a subscription are in flight',
    file: LEASES,
    find: 'LANE_CAPACITY = 5',
    replace: 'LANE_CAPACITY = 6',
    specs: CLAIMS,
  },
  {
    id: 'untried-lanes-get-five',
    rule: 'A subscription that has not succeeded has one delivery in flight',
    file: LEASES,
    find: 'l.answer_ms IS NULL OR l.probe_at',
    replace: 'l.probe_at',
    specs: CLAIMS,
  },
  {
    id: 'failing-lanes-among-the-prompt',
    rule: 'Subscriptions that fail or answer slowly have slots of their own',
    file: LEASES,
    find: "THEN 'SLOW'",
    replace: "THEN 'PROMPT'",
    specs: CLAIMS,
  },
  {
    id: 'partners-take-no-turns',
    rule: 'Each partner’s first slot comes before any partner’s second',
    file: LEASES,
    find: 'row_number() OVER (PARTITION BY class, partner_id',
    replace: 'row_number() OVER (PARTITION BY class',
    specs: CLAIMS,
  },
  {
    id: 'partner-takes-every-slot',
    rule: 'A partner has three quarters of a class’s slots at most',
    file: SHARES,
    find: 'TIMES_THE_FREE = 3',
    replace: 'TIMES_THE_FREE = 3_000',
    specs: ['src/webhooks/sender/slot-shares.spec.ts'],
  },
  {
    id: 'no-first-slot-when-all-are-taken',
    rule: 'A partner’s first slot is to be had whatever the others have',
    file: SHARES,
    find: 'if (used === 0) return this.owners.size < MAX_IN_FLIGHT;',
    replace: 'if (used === 0) return this.free(laneClass) > 0;',
    specs: ['src/webhooks/sender/slot-shares.spec.ts'],
  },
  {
    id: 'inactive-lanes-are-served',
    rule: 'Nothing is sent to an inactive subscription',
    file: LEASES,
    find: 'l.is_active AND (l.probe_at IS NULL',
    replace: '(l.probe_at IS NULL',
    specs: CLAIMS,
    equivalent:
      'What is due on a lane is read only while the lane is active, so one that is taken in vain sends ' +
      'nothing and is given back.',
  },
  {
    id: 'text-sent-by-two',
    rule: 'A text message is with one sender at a time',
    file: 'src/messaging/store/sms-messages.repository.ts',
    find: "WHERE id = $2 AND status = 'WAITING' AND expires_at > app_now()\n         AND (lease_until IS NULL OR lease_until < app_now())",
    replace: "WHERE id = $2 AND status = 'WAITING' AND expires_at > app_now()",
    specs: ['test/e2e/messaging/replicas.spec.ts', 'test/e2e/messaging/outbox.spec.ts'],
  },
  {
    id: 'text-sent-after-its-time',
    rule: 'A text message that has run out is not sent',
    file: 'src/messaging/store/sms-messages.repository.ts',
    find: 'next_attempt_at <= app_now() AND expires_at > app_now()',
    replace: 'next_attempt_at <= app_now()',
    specs: ['test/e2e/messaging/outbox.spec.ts'],
  },
];
