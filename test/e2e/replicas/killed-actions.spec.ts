import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../support/eventually.js';
import {
  act,
  type ActionKind,
  driveTo,
  journeyIn,
  type StartedJourney,
} from '../../support/journey-driver.js';
import { CLOCK_MS, KillableService, TEST_MS } from './killable-service.js';

const ACTION_LEASE_MS = 30_000;

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

let service: KillableService;

beforeEach(async () => {
  service = await KillableService.open();
});

afterEach(() => service.close());

interface CutShort {
  kind: ActionKind;
  journey: StartedJourney;
  /** Where the action found the journey and where it leads. */
  from: string;
  to: string;
  trail: string[];
}

/** One journey for each kind of action, at the state that the kind is taken in. */
async function journeysForActions(): Promise<CutShort[]> {
  const trail = ['STARTED', 'OFFERS_ARRIVED', 'OFFER_SELECTED'];
  const [select, branch, account] = await Promise.all([
    journeyIn(service.partner, 'OFFERS_RECEIVED'),
    journeyIn(service.partner, 'OFFER_SELECTED', { productCode: 'ONLINE_GOLD' }),
    journeyIn(service.partner, 'BANK_ACCOUNT_PENDING'),
  ]);
  return [
    {
      kind: 'SELECT_OFFER',
      journey: select,
      from: 'OFFERS_RECEIVED',
      to: 'KYC_PENDING',
      trail,
    },
    {
      kind: 'SELECT_GOLD_LOAN_BRANCH',
      journey: branch,
      from: 'OFFER_SELECTED',
      to: 'KYC_PENDING',
      trail: [...trail, 'BRANCH_SELECTED'],
    },
    {
      kind: 'SUBMIT_BANK_ACCOUNT',
      journey: account,
      from: 'BANK_ACCOUNT_PENDING',
      to: 'MANDATE_PENDING',
      trail: [...trail, 'KYC_PASSED', 'ACCOUNT_ACCEPTED'],
    },
  ];
}

/** Starts every action and kills the process after their intents, before their outcomes. */
async function cutShort(actions: readonly CutShort[]): Promise<void> {
  // Each of the actions leads to a redirect, which cannot be written.
  const lock = await service.hold('LOCK TABLE journey_redirects IN EXCLUSIVE MODE');
  const answers = actions.map(({ journey, kind }) =>
    act(service.partner, journey, kind).then(
      ({ status }) => status,
      () => 'no answer',
    ),
  );
  await lock.waiting('journey_redirects', actions.length);
  await service.killAt(lock);
  expect(await Promise.all(answers)).toEqual(actions.map(() => 'no answer'));
  for (const { journey, kind, from } of actions) {
    expect(await service.records.state(journey.id)).toBe(from);
    const intents = await service.records.intents(journey.id);
    expect(intents.filter(({ status }) => status === 'OPEN')).toMatchObject([{ kind }]);
  }
}

async function expectOneStep({ journey, kind, to, trail }: CutShort): Promise<void> {
  expect(await service.records.state(journey.id)).toBe(to);
  expect(await service.records.trail(journey.id)).toEqual(trail);
  const intents = await service.records.intents(journey.id);
  expect(intents.filter((intent) => intent.kind === kind)).toMatchObject([{ status: 'COMPLETED' }]);
  const events = await service.records.events(journey.id);
  expect(events.map((event) => Number.parseInt(event, 10))).toEqual(
    events.map((_, index) => index + 1),
  );
  const chosen = events.filter((event) => event.endsWith('journey.offer_selected'));
  expect(chosen).toHaveLength(1);
}

describe('killed between an action’s intent and its outcome', () => {
  it('has the next action resolve it once the lease has run out, in one step', async () => {
    const actions = await journeysForActions();
    await cutShort(actions);
    await service.start();
    for (const { journey, kind, from } of actions) {
      const early = await act(service.partner, journey, kind);
      expect([early.status, early.json.code]).toEqual([409, 'action_in_flight']);
      expect(await service.records.state(journey.id)).toBe(from);
    }
    await service.records.travel(ACTION_LEASE_MS);
    for (const action of actions) {
      // What was set out to do is done now, so the same action again is one step too many.
      const late = await act(service.partner, action.journey, action.kind);
      expect(late.status).toBe(409);
      await eventually(() => expectOneStep(action));
    }
    expect(service.output()).toMatch(/journey\/jrn_\w+\/action"[^\n]*resolving an orphan/);
    await sleep(CLOCK_MS);
    await driveTo(service.partner, actions[0].journey, 'SANCTIONED');
  });

  it('has the scheduler resolve it, in one step, should nobody act', async () => {
    const actions = await journeysForActions();
    await cutShort(actions);
    await service.travel(ACTION_LEASE_MS);
    await service.start();
    await eventually(
      async () => {
        for (const { journey, to } of actions)
          expect(await service.records.state(journey.id)).toBe(to);
      },
      { withinMs: 15_000 },
    );
    for (const action of actions) await expectOneStep(action);
  });

  it('does not keep the scheduler from the others when one cannot be resolved', async () => {
    const actions = await journeysForActions();
    await cutShort(actions);
    // The oldest, so the first in line.
    const [broken] = await service.records.query<{ id: string; kind: string }>(
      `UPDATE journey_intents SET payload_sealed = 'broken'
       WHERE id = (SELECT min(id) FROM journey_intents WHERE status = 'OPEN') RETURNING id, kind`,
    );
    await service.travel(ACTION_LEASE_MS);
    await service.start();
    const others = actions.filter(({ kind }) => kind !== broken.kind);
    await eventually(
      async () => {
        for (const { journey, to } of others)
          expect(await service.records.state(journey.id)).toBe(to);
      },
      { withinMs: 15_000 },
    );
    const [left] = await service.records.query('SELECT status FROM journey_intents WHERE id = $1', [
      broken.id,
    ]);
    expect(left).toEqual({ status: 'OPEN' });
  });
});
