import { beforeAll, expect, it, vi } from 'vitest';
import { AbandonmentTasks } from '../../../src/journeys/background/journey.tasks.js';
import { eventually } from '../../support/eventually.js';
import { pauseTask } from '../../support/paused-task.js';
import { DAY, HOUR, MINUTE, type TestJourney, journeyBench } from './journey-bench.js';

/** A journey that is in use is retried in a later run. */
const RETRIED = { withinMs: 15_000 };

const bench = journeyBench({ isOneLender: true });

beforeAll(() => {
  // Tests run the task themselves; the scheduled run would interfere.
  pauseTask(bench.service, AbandonmentTasks, 'abandonment', 'run');
});

async function atStep(state: string): Promise<TestJourney> {
  const journey = await bench.startWithOffers();
  await journey.goOnTo(state);
  return journey;
}

async function stateAfter(journey: TestJourney, milliseconds: number): Promise<string> {
  await bench.service.travel(milliseconds);
  await bench.service.get(AbandonmentTasks).run();
  return (await journey.read()).state;
}

function areAbandoned(...journeys: TestJourney[]): Promise<void> {
  return eventually(async () => {
    for (const journey of journeys) expect(await stateAfter(journey, 0)).toBe('ABANDONED');
  }, RETRIED);
}

it('an idle journey is abandoned after seven days and not before, and is reported to the lender whose offer was chosen, or to those that made one', async () => {
  const journey = await atStep('KYC_PENDING');
  const open = await bench.startWithOffers();
  expect(await stateAfter(journey, 7 * DAY - 5 * MINUTE)).toBe('KYC_PENDING');
  await bench.service.travel(6 * MINUTE);
  await areAbandoned(journey, open);
  const end = await journey.read();
  expect(end.outcome).toBe('ABANDONED');
  expect(end).not.toHaveProperty('outcomeReason');
  expect(end.currentNextAction).toEqual({ type: 'JOURNEY_ABANDONED', category: 'DONE' });
  expect((await journey.eventNames()).slice(-2)).toEqual([
    'journey.offer_selected',
    'journey.abandoned',
  ]);
  for (const one of [journey, open]) {
    const sent = { lender: 'navdhara', reference: 'ABANDONED' };
    expect(await one.withdrawals()).toMatchObject([sent]);
  }
});

it('activity is an action, also one that the bank refuses, a return and a visit, but no GET and nothing malformed', async () => {
  const passed = await atStep('KYC_PENDING');
  const refused = await atStep('BANK_ACCOUNT_PENDING');
  const undecided = await atStep('MANDATE_PENDING');
  const visited = await atStep('ESIGN_PENDING');
  const idle = await atStep('BANK_ACCOUNT_PENDING');
  const active = [passed, refused, undecided, visited];
  expect(await stateAfter(idle, 6 * DAY)).toBe('BANK_ACCOUNT_PENDING');
  await passed.returned('KYC');
  await refused.submitAccount({ accNo: '123456780000' });
  await visited.providerPage();
  bench.lendersAnswer(() => Promise.resolve({ status: 'PENDING' }));
  await undecided.returned('MANDATE');
  vi.restoreAllMocks();
  await idle.read();
  expect((await idle.submitAccount({ accNo: '1' })).status).toBe(400);

  await bench.service.travel(DAY + MINUTE);
  await areAbandoned(idle);
  await bench.service.travel(5 * DAY - MINUTE);
  for (const journey of active) expect(await stateAfter(journey, 0)).not.toBe('ABANDONED');
  await bench.service.travel(DAY + HOUR);
  await areAbandoned(...active);
});

it('a journey is not abandoned in which an action is in progress, nor one whose action was cut short, until that is resolved', async () => {
  const journey = await atStep('BANK_ACCOUNT_PENDING');
  const set = (sql: string) => bench.query(`${sql} WHERE journey_id = $1`, [journey.id]);
  const lease = (until: string) =>
    bench.query(`UPDATE journeys SET lease_until = ${until} WHERE id = $1`, [journey.id]);
  await bench.query(
    `UPDATE journeys SET last_activity_at = app_now() - interval '8 days',
         lease_until = app_now() + interval '30 seconds' WHERE id = $1`,
    [journey.id],
  );
  expect(await stateAfter(journey, 0)).toBe('BANK_ACCOUNT_PENDING');
  // An unreadable payload, so that the action stays open until the run.
  await bench.query(
    `INSERT INTO journey_intents (id, partner_id, journey_id, kind, payload_sealed, state, fence,
         created_at)
       SELECT 'int_' || id, partner_id, id, 'SUBMIT_BANK_ACCOUNT', 'v1:none:', state, -1, app_now()
       FROM journeys WHERE id = $1`,
    [journey.id],
  );
  await lease('NULL');
  expect(await stateAfter(journey, 0)).toBe('BANK_ACCOUNT_PENDING');
  await set(`UPDATE journey_intents SET status = 'WITHDRAWN'`);
  await lease('NULL');
  expect(await stateAfter(journey, 0)).toBe('ABANDONED');
});
