import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { leadStatusOf } from '../../../src/journeys/domain/lead-status.js';
import { TRANSITIONS } from '../../../src/journeys/domain/transition-table.js';
import { JOURNEY_STEPS, REDIRECT_DEFINITIONS } from '../../../src/journey-steps/index.js';
import { FeeDeadlinesTasks } from '../../../src/instant-loans/fee/fee-deadlines.tasks.js';
import { AbandonmentTasks } from '../../../src/journeys/background/journey.tasks.js';
import { type LenderAnswer, LenderUnavailable } from '../../../src/lenders/index.js';
import { HostedChoices, HostedVisits } from '../../../src/journeys/index.js';
import { eventually } from '../../support/eventually.js';
import { payFee } from '../../support/fees.js';
import { loanRequest } from '../../support/loan-requests.js';
import { InstantLoanBench } from '../instant-loans/instant-loan-bench.js';
import { chooseAnother } from '../hosted-steps/leaving-bench.js';
import { StepJourney } from '../hosted-steps/step-journey.js';
import { DAY, HOUR, JourneyBench, MINUTE } from './journey-bench.js';

/** Applicants whose lender does not respond, and whose lender rejects the payout. */
const SILENT = 'SILNT1234A';
const UNPAID = 'UNPAD1234A';
/** Its journeys get every step except the fee and the decision, so a new step is driven here, too. */
const WITH_EVERY_STEP = { productCode: 'ONLINE_GOLD' };
const WITH_FEE = { productCode: 'ONLINE_SHORT_TERM' };
const REFUSED: LenderAnswer = { kind: 'REFUSED', reason: 'TEST' };

interface Move {
  readonly journey: string;
  readonly trigger: string;
  readonly from: string;
  readonly to: string;
  readonly reason: string | null;
  /** Instant loans have no events. */
  readonly isInstant: boolean;
  /** The transaction that wrote the row. */
  readonly writer: string;
}

interface StoredEvent {
  readonly journey: string;
  readonly name: string;
  readonly state: string;
  readonly writer: string;
}

let bench: JourneyBench;
let moves: Move[];
let events: StoredEvent[];

beforeAll(async () => {
  bench = await JourneyBench.open();
  await bench.keepOneLender();
  await giveSteps(
    WITH_EVERY_STEP,
    JOURNEY_STEPS.filter((step) => step !== 'FEE' && step !== 'DECISION'),
  );
  await giveSteps(WITH_FEE, ['OFFERS', 'FEE', 'KYC', 'BANK_ACCOUNT', 'ESIGN', 'DISBURSEMENT']);
  bench.lendersAnswer(({ id, kind, payload: { applicant } }) => {
    if (kind === 'OFFERS' && applicant.pan === SILENT) {
      return Promise.reject(new LenderUnavailable('down'));
    }
    return kind === 'DISBURSEMENT' && applicant.pan === UNPAID
      ? Promise.resolve({ status: 'ANSWERED', answerId: id, answer: REFUSED })
      : null;
  });
  const loans = new InstantLoanBench(bench.service);
  const longest = bench.startWithOffers(WITH_EVERY_STEP).then((journey) => journey.complete());
  await Promise.all([longest, beRejected(), beStopped(), payOrNot(), beDecided(loans)]);
  const unpaid = await loans.offered();
  await beLeft();
  await loans.reaches(unpaid.applicationId, 'EXPIRED');
  await loans.close();
  await choiceIsChanged();
  await offersAreOpened();
  moves = await movesMade();
  events = await storedEvents();
}, 120_000);

afterAll(async () => {
  vi.restoreAllMocks();
  await bench.close();
});

function giveSteps({ productCode }: { productCode: string }, steps: readonly string[]) {
  return bench.configure('UPDATE products SET steps = $1 WHERE code = $2', [steps, productCode]);
}

async function at(state: string, options: Parameters<JourneyBench['start']>[0] = {}) {
  const journey = await bench.startWithOffers(options);
  await journey.goOnTo(state);
  return journey;
}

async function beRejected(): Promise<void> {
  const declined = await bench.start({ pan: 'SANDX0001A' });
  const kyc = await at('KYC_PENDING', { pan: 'SANDX0005A' });
  await kyc.returned('KYC');
  const account = await at('BANK_ACCOUNT_PENDING');
  await account.submitAccount({ accNo: '123456789999' });
  // A provider rejects, whether the applicant visited it or not.
  const others = REDIRECT_DEFINITIONS.filter(({ name }) => name !== 'KYC' && name !== 'ESIGN');
  const refused = await Promise.all(
    others.map(async ({ name, state }) => {
      const journey = await at(state, WITH_EVERY_STEP);
      const reference = await journey.redirectId(name);
      await bench.deliverTo(journey.id, REFUSED, { kind: name, reference });
      return journey;
    }),
  );
  const signature = await at('ESIGN_PENDING', { pan: 'SANDX0007A' });
  await signature.returned('ESIGN');
  // The lender rejects at once, so the test cannot observe the state before.
  const payout = await at('ESIGN_PENDING', { pan: UNPAID });
  await payout.returned('ESIGN');
  for (const journey of [declined, kyc, account, ...refused, signature, payout]) {
    await journey.reaches('REJECTED');
  }
}

/** Applicants stop while the lenders are silent, and before they sign. */
async function beStopped(): Promise<void> {
  for (const journey of [
    await StepJourney.begin(bench.service, { pan: SILENT }),
    await hostedAt('ESIGN_PENDING'),
  ]) {
    await bench.service.get<HostedVisits>(HostedVisits).stop(journey.key);
    await journey.reaches('ABANDONED');
  }
}

/** A fee is paid, or its time ends. */
async function payOrNot(): Promise<void> {
  const paid = await hostedAt('FEE_PENDING');
  await payFee((await paid.view()).fee!.url);
  await paid.reaches('KYC_PENDING');
  const unpaid = await hostedAt('FEE_PENDING');
  await unpaid.query('UPDATE journey_fees SET expires_at = app_now() WHERE journey_id = $1');
  await bench.service.get(FeeDeadlinesTasks).run();
  await unpaid.reaches('ABANDONED');
}

/** One instant loan is sanctioned, one declined. */
async function beDecided(loans: InstantLoanBench): Promise<void> {
  const decisions = { SANCTIONED: 'SANDX0000A', REJECTED: 'SANDX0013A' };
  for (const [status, pan] of Object.entries(decisions)) {
    const loan = await loans.apply({ pan });
    await loans.atGateway(loan, 'pay');
    await loans.reaches(loan.applicationId, status);
  }
}

/** Another offer replaces the chosen one. */
async function choiceIsChanged(): Promise<void> {
  await bench.configure('UPDATE lenders SET is_enabled = true');
  await chooseAnother(await hostedAt('ESIGN_PENDING'));
}

/** The applicant opens the comparison before the last lender has answered. */
async function offersAreOpened(): Promise<void> {
  const { key } = await StepJourney.begin(bench.service, { pan: 'SANDX0002A' });
  await eventually(
    async () => {
      await bench.service.travel(13_000);
      return bench.service.get<HostedChoices>(HostedChoices).openOffers(key);
    },
    { everyMs: 1_000 },
  );
}

function hostedAt(state: string): Promise<StepJourney> {
  return StepJourney.at(state, bench.service, state === 'FEE_PENDING' ? WITH_FEE : WITH_EVERY_STEP);
}

/** Lenders stay silent, offers expire, journeys become inactive. */
async function beLeft(): Promise<void> {
  const silent = await bench.start({ pan: SILENT });
  await bench.service.travel(31 * MINUTE);
  await silent.reaches('REJECTED');

  const runOut = await bench.startWithOffers();
  await bench.query('UPDATE journeys SET offers_due_at = app_now() WHERE id = $1', [runOut.id]);
  await eventually(async () => {
    expect((await runOut.questions()).map(({ reference }) => reference)).toContain('2');
  });
  await runOut.reaches('OFFERS_RECEIVED');

  const { json } = await bench.demo.initiate(loanRequest({ channel: 'API_HOSTED' }));
  const left = await at('MANDATE_PENDING', WITH_EVERY_STEP);
  await bench.service.travel(7 * DAY + HOUR);
  await bench.service.get(AbandonmentTasks).run();
  await left.reaches('ABANDONED');
  const hosted = await bench.demo.journey(json.data.journeyId);
  expect(hosted.json.data.state).toBe('ABANDONED');
}

function movesMade(): Promise<Move[]> {
  return bench.query<Move>(
    `SELECT journey_id AS journey, trigger, from_state AS "from", to_state AS "to",
       detail ->> 'outcomeReason' AS reason, xmin::text AS writer,
       journey_id IN (SELECT id FROM journeys WHERE product_code = 'ONLINE_INSTANT') AS "isInstant"
     FROM journey_audit
     WHERE partner_id = $1
       AND trigger NOT IN ('STARTED', 'CONSENTED', 'CONFIRMED', 'KEY_FACTS_ACKNOWLEDGED')
       AND from_state IS DISTINCT FROM to_state ORDER BY id`,
    [bench.service.partnerId],
  );
}

async function storedEvents(): Promise<StoredEvent[]> {
  const rows = await bench.query<Omit<StoredEvent, 'state'> & { body: string }>(
    `SELECT journey_id AS journey, name, body, xmin::text AS writer
     FROM webhook_events
     WHERE partner_id = $1 AND journey_id IS NOT NULL AND name <> 'journey.initiated' ORDER BY sequence`,
    [bench.service.partnerId],
  );
  return rows.map(({ body, ...row }) => ({
    ...row,
    state: (JSON.parse(body) as { data: { state: string } }).data.state,
  }));
}

describe('every trigger of the table', () => {
  it('has been made, and left its audit row with the reason', () => {
    const made = moves.map(({ from, trigger, reason }) => [from, trigger, reason].join(' '));
    const all = TRANSITIONS.map(({ from, trigger, reason }) => [from, trigger, reason].join(' '));
    expect(made.filter((move) => !all.includes(move))).toEqual([]);
    const triggers = new Set<string>(TRANSITIONS.map(({ trigger }) => trigger));
    expect(new Set(moves.map(({ trigger }) => trigger))).toEqual(triggers);
  });

  it('has exactly the event that the table names from the transaction of its audit row', () => {
    const ruleOf = ({ from, trigger }: Move) =>
      TRANSITIONS.find((one) => one.from === from && one.trigger === trigger)!;
    const ofJourneys = moves.filter(({ isInstant }) => !isInstant);
    // A change of the choice is two transitions in one transaction.
    for (const together of Object.values(
      Object.groupBy(ofJourneys, ({ journey, writer }) => `${journey} ${writer}`),
    )) {
      const [{ journey, from, trigger, writer }] = together!;
      const written = events.filter((one) => one.journey === journey && one.writer === writer);
      const named = together!.map((move) => [ruleOf(move).event, move.to]);
      expect([from, trigger, written.map(({ name, state }) => [name, state])]).toEqual([
        from,
        trigger,
        named.filter(([event]) => event !== undefined),
      ]);
    }
    expect(events).toHaveLength(ofJourneys.filter((move) => ruleOf(move).event).length);
  });

  it('takes the lead along', async () => {
    const journeys = await bench.query<Parameters<typeof leadStatusOf>[0] & { id: string }>(
      'SELECT id, state, steps FROM journeys WHERE partner_id = $1',
      [bench.service.partnerId],
    );
    const { json } = await bench.demo.get<{ leads: { journeyId: string; status: string }[] }>(
      '/leads?limit=100',
    );
    const statuses = Object.fromEntries(json.data.leads.map((one) => [one.journeyId, one.status]));
    expect(statuses).toEqual(
      Object.fromEntries(journeys.map((one) => [one.id, leadStatusOf(one)])),
    );
  });
});
