import type { Mutant } from './mutant.ts';

const FILE = 'src/platform/idempotency/idempotency.ts';
const STORE = 'src/platform/store/idempotent-answers.repository.ts';
const JOURNEYS = ['test/e2e/contract/gap-idempotency.spec.ts'];
const EVERYWHERE = [...JOURNEYS, 'test/e2e/instant-loans/replicas.spec.ts'];
const SCOPE = ['test/e2e/contract/idempotency-scope.spec.ts'];

/** A retry is answered as its first request was. */
export const IDEMPOTENCY: readonly Mutant[] = [
  {
    id: 'one-scope-for-both-calls',
    rule: 'An Idempotency-Key is one of a partner and of a call',
    file: 'src/journeys/use-cases/journey-starts.ts',
    find: "INSTANT_OPERATION = 'instant-loans'",
    replace: "INSTANT_OPERATION = 'journey/initiate'",
    specs: SCOPE,
  },
  {
    id: 'another-body-gets-the-first-answer',
    rule: 'The same key with another body is 409',
    file: FILE,
    find: 'before && !this.isSameBody(call, before)',
    replace: "before && before.bodyHash === ''",
    specs: EVERYWHERE,
  },
  {
    id: 'answers-kept-for-an-hour',
    rule: 'A kept answer is given for 24 hours, and cleaned away no earlier',
    file: STORE,
    find: "WHERE created_at < app_now() - interval '24 hours'",
    replace: "WHERE created_at < app_now() - interval '1 hour'",
    specs: ['test/e2e/request-log/upkeep.isolated.spec.ts'],
  },
  {
    id: 'answers-found-for-an-hour',
    rule: 'A kept answer is given for 24 hours',
    file: STORE,
    find: "a.created_at > app_now() - interval '24 hours'",
    replace: "a.created_at > app_now() - interval '1 hour'",
    specs: EVERYWHERE,
  },
  {
    id: 'answers-found-for-ever',
    rule: 'After 24 hours a key may be used anew',
    file: STORE,
    find: "a.created_at > app_now() - interval '24 hours'",
    replace: "a.created_at > app_now() - interval '24 days'",
    specs: EVERYWHERE,
  },
  {
    id: 'answers-are-never-cleaned-away',
    rule: 'Kept answers that are over are cleaned away by the service itself',
    file: FILE,
    find: "@ScheduledTask('forget-idempotent-answers', CLEAN_UP_EVERY_MS)\n",
    replace: '',
    specs: ['test/e2e/request-log/upkeep.isolated.spec.ts'],
  },
  {
    id: 'answers-of-another-partner',
    rule: 'A key of one partner never meets one of another',
    file: STORE,
    find: 'WHERE partner_id = c.partner_id AND operation = c.operation',
    replace: 'WHERE operation = c.operation',
    specs: EVERYWHERE,
  },
  {
    id: 'in-flight-is-done-twice',
    rule: 'While the first request is in flight a second one is 409',
    file: FILE,
    find: 'pg_try_advisory_xact_lock(hashtextextended(name, 0)) AS locked',
    replace: 'name IS NOT NULL AS locked',
    specs: [...EVERYWHERE, 'test/e2e/replicas/simultaneous-actions.isolated.spec.ts'],
  },
  {
    id: 'kept-answers-in-the-clear',
    rule: 'An answer that holds secrets is kept sealed',
    file: FILE,
    find: 'answerSealed: this.keyring.seal(JSON.stringify(answer), PURPOSE),',
    replace: 'answerSealed: JSON.stringify(answer),',
    specs: EVERYWHERE,
  },
  {
    id: 'replay-does-not-say-so',
    rule: 'A repeated answer carries Idempotency-Replayed',
    file: FILE,
    find: 'settled.set(callIndex, { answer, isReplayed: true });',
    replace: 'settled.set(callIndex, { answer, isReplayed: false });',
    specs: EVERYWHERE,
  },
  {
    id: 'key-without-a-length',
    rule: 'An Idempotency-Key has at most 255 characters',
    file: 'src/platform/idempotency/idempotency-key.ts',
    find: 'key.length > MAX_CHARACTERS || ',
    replace: '',
    specs: EVERYWHERE,
  },
  {
    id: 'quotes-are-part-of-the-key',
    rule: 'A quoted key and a bare one are the same',
    file: 'src/platform/idempotency/idempotency-key.ts',
    find: 'QUOTED.exec(header)?.[1] ?? header',
    replace: 'header',
    specs: EVERYWHERE,
  },
];
