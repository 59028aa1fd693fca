import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { AbandonmentTasks } from '../../../src/journeys/background/journey.tasks.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { eventually } from '../../support/eventually.js';
import { pauseTask } from '../../support/paused-task.js';
import { DAY, HOUR, JourneyBench, MINUTE, type TestJourney } from './journey-bench.js';

let bench: JourneyBench;

beforeAll(async () => {
  bench = await JourneyBench.open();
  await bench.keepOneLender();
  // It runs when a test says so: beside a look of its own, the test's would be none.
  pauseTask(bench.service, AbandonmentTasks, 'abandonment', 'run');
});

afterEach(() => {
  vi.restoreAllMocks();
});

afterAll(() => bench.close());

async function atStep(state: string): Promise<TestJourney> {
  const journey = await bench.startWithOffers();
  await journey.goOnTo(state);
  return journey;
}

async function lookForIdleOnes(): Promise<void> {
  await bench.service.get(AbandonmentTasks).run();
}

async function stateAfter(journey: TestJourney, milliseconds: number): Promise<string> {
  await bench.service.travel(milliseconds);
  await lookForIdleOnes();
  return (await journey.read()).state;
}

describe('a journey in which nobody does anything', () => {
  it('is abandoned after seven days and not before, with its event', async () => {
    const journey = await atStep('KYC_PENDING');
    expect(await stateAfter(journey, 7 * DAY - 5 * MINUTE)).toBe('KYC_PENDING');
    expect(await stateAfter(journey, 6 * MINUTE)).toBe('ABANDONED');
    const end = await journey.read();
    expect(end.outcome).toBe('ABANDONED');
    expect(end).not.toHaveProperty('outcomeReason');
    expect(end.currentNextAction).toEqual({ type: 'JOURNEY_ABANDONED', category: 'DONE' });
    expect((await journey.eventNames()).slice(-2)).toEqual([
      'journey.offer_selected',
      'journey.abandoned',
    ]);
    const lead = await bench.demo.get(`/leads/${end.applicationId}/status`);
    expect(lead.json.data.status).toBe('ABANDONED');
  });

  it('is reported to the lender whose offer was chosen, or to those that made one when none was', async () => {
    const [chosen, open] = [await atStep('ESIGN_PENDING'), await bench.startWithOffers()];
    await bench.service.travel(7 * DAY);
    // What is still being done for a journey puts it off to a later look.
    await eventually(async () => {
      await lookForIdleOnes();
      const states = [(await chosen.read()).state, (await open.read()).state];
      expect(states).toEqual(['ABANDONED', 'ABANDONED']);
    });
    await eventually(async () => {
      const told = (await chosen.questions()).filter(({ kind }) => kind === 'WITHDRAWAL');
      expect(told).toMatchObject([{ lender_code: 'navdhara', status: 'ANSWERED' }]);
    });
    const others = (await open.questions()).filter(({ kind }) => kind === 'WITHDRAWAL');
    expect(others).toMatchObject([{ lender_code: 'navdhara', reference: 'ABANDONED' }]);
  });

  it('takes no more actions, returns or visits', async () => {
    const [journey, account] = [
      await atStep('MANDATE_PENDING'),
      await atStep('BANK_ACCOUNT_PENDING'),
    ];
    const url = await journey.redirectUrl();
    expect(await stateAfter(journey, 7 * DAY)).toBe('ABANDONED');
    await account.reaches('ABANDONED');
    const [before, events] = [await journey.read(), await journey.events()];
    const lender = bench.service.get(SandboxLender);
    const calls = (['ask', 'openSession', 'verifyAccount'] as const).map((name) =>
      vi.spyOn(lender, name),
    );

    // What would have been right where they stood.
    const action = await account.submitAccount();
    expect([action.status, action.json.code]).toEqual([409, 'wrong_step']);
    // The applicant may only just be back: the partner is told how it ended, once.
    const first = await journey.returned('MANDATE');
    expect(first.status).toBe(200);
    expect(first.json.data.nextAction).toEqual({ type: 'JOURNEY_ABANDONED', category: 'DONE' });
    const again = await journey.returned('MANDATE');
    expect([again.status, again.json.code]).toEqual([409, 'return_already_seen']);
    const later = await journey.returned('ESIGN');
    expect([later.status, later.json.code]).toEqual([409, 'wrong_step']);
    const visit = await bench.browse(url);
    expect(visit.status).toBe(303);
    expect(visit.location).not.toContain('/sandbox/provider/');
    expect(new URL(visit.location).searchParams.get('journeyId')).toBe(journey.id);

    expect(await journey.read()).toEqual(before);
    expect(await journey.events()).toEqual(events);
    const about = calls.flatMap(({ mock }) => mock.calls.map(([request]) => request));
    expect(about.filter((one) => !('kind' in one && one.kind === 'WITHDRAWAL'))).toEqual([]);
  });
});

describe('activity', () => {
  const KINDS: [string, string, (journey: TestJourney) => Promise<unknown>][] = [
    ['an action', 'KYC_PENDING', (journey) => journey.returned('KYC')],
    [
      'an action that is refused by the bank',
      'BANK_ACCOUNT_PENDING',
      (journey) => journey.submitAccount({ accNo: '123456780000' }),
    ],
    [
      'a return while the provider has not decided',
      'MANDATE_PENDING',
      async (journey) => {
        keepProvidersUndecided();
        await journey.returned('MANDATE');
      },
    ],
    ['a visit to the redirect', 'ESIGN_PENDING', (journey) => journey.providerPage()],
  ];

  it.each(KINDS)('is %s: the seven days begin again', async (_, state, act) => {
    const journey = await atStep(state);
    expect(await stateAfter(journey, 6 * DAY)).toBe(state);
    await act(journey);
    expect(await stateAfter(journey, 6 * DAY)).not.toBe('ABANDONED');
    expect(await stateAfter(journey, DAY + HOUR)).toBe('ABANDONED');
  });

  it('is not a GET, nor an action that was refused as malformed', async () => {
    const journey = await atStep('BANK_ACCOUNT_PENDING');
    expect(await stateAfter(journey, 6 * DAY)).toBe('BANK_ACCOUNT_PENDING');
    await journey.read();
    expect((await journey.submitAccount({ accNo: '1' })).status).toBe(400);
    expect(await stateAfter(journey, DAY + MINUTE)).toBe('ABANDONED');
  });
});

function keepProvidersUndecided(): void {
  const ask = vi.spyOn(bench.service.get(SandboxLender), 'ask');
  ask.mockResolvedValue({ status: 'PENDING' });
}

describe('not abandoned', () => {
  it('is a journey whose money is on its way, however long that takes', async () => {
    const journey = await atStep('ESIGN_PENDING');
    const connector = bench.service.get(SandboxLender);
    const ask = connector.ask.bind(connector);
    vi.spyOn(connector, 'ask').mockImplementation((question) =>
      question.kind === 'DISBURSEMENT' ? Promise.resolve({ status: 'PENDING' }) : ask(question),
    );
    await journey.returned('ESIGN');
    expect(await stateAfter(journey, 30 * DAY)).toBe('DISBURSEMENT_PENDING');
    vi.restoreAllMocks();
    await bench.service.travel(MINUTE);
    await journey.reaches('SANCTIONED');
  });

  it('is one in which an action is in progress', async () => {
    const journey = await atStep('BANK_ACCOUNT_PENDING');
    await bench.query(
      `UPDATE journeys SET last_activity_at = app_now() - interval '8 days',
         lease_until = app_now() + interval '30 seconds' WHERE id = $1`,
      [journey.id],
    );
    expect(await stateAfter(journey, 0)).toBe('BANK_ACCOUNT_PENDING');
    await bench.query('UPDATE journeys SET lease_until = NULL WHERE id = $1', [journey.id]);
    expect(await stateAfter(journey, 0)).toBe('ABANDONED');
  });

  it('is one whose action was cut short, until that is resolved', async () => {
    const journey = await atStep('BANK_ACCOUNT_PENDING');
    await bench.query(
      `UPDATE journeys SET last_activity_at = app_now() - interval '8 days' WHERE id = $1`,
      [journey.id],
    );
    // Its payload is one that nobody can open, so that it is not resolved before the look.
    await bench.query(
      `INSERT INTO journey_intents (id, partner_id, journey_id, kind, payload_sealed, state, fence,
         created_at)
       SELECT 'int_' || id, partner_id, id, 'SUBMIT_BANK_ACCOUNT', 'v1:none:', state, -1, app_now()
       FROM journeys WHERE id = $1`,
      [journey.id],
    );
    expect(await stateAfter(journey, 0)).toBe('BANK_ACCOUNT_PENDING');
    await bench.query(`UPDATE journey_intents SET status = 'WITHDRAWN' WHERE journey_id = $1`, [
      journey.id,
    ]);
    await bench.query('UPDATE journeys SET lease_until = NULL WHERE id = $1', [journey.id]);
    expect(await stateAfter(journey, 0)).toBe('ABANDONED');
  });
});
