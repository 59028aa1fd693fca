// Isolated: its process is killed.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../support/eventually.js';
import {
  act,
  type ActionKind,
  driveTo,
  journeyIn,
  type StartedJourney,
} from '../../support/journey-driver.js';
import { CLOCK_MS, KillableService, TEST_MS } from './killable-service.js';

/** Longer than a lease is, so that a slow machine starts the new process before its end. */
const LEASE_SECONDS = 60;

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

let service: KillableService;

beforeAll(async () => {
  service = await KillableService.open();
});

afterAll(() => service?.close());

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

/** Starts every action, the first before the others, and kills the process after their intents, before their outcomes. */
async function cutShort(actions: readonly CutShort[]): Promise<void> {
  // Each of the actions leads to a redirect, which cannot be written.
  const lock = await service.hold('LOCK TABLE journey_redirects IN EXCLUSIVE MODE');
  const start = ({ journey, kind }: CutShort) =>
    act(service.partner, journey, kind).then(
      ({ status }) => status,
      () => 'no answer',
    );
  const [first, ...others] = actions;
  const answers = [start(first)];
  await lock.waiting('journey_redirects');
  answers.push(...others.map(start));
  await lock.waiting('journey_redirects', actions.length);
  await service.killAt(lock);
  expect(await Promise.all(answers)).toEqual(actions.map(() => 'no answer'));
  await service.records.query(
    `UPDATE journeys SET lease_until = app_now() + make_interval(secs => $1)
     WHERE lease_until IS NOT NULL`,
    [LEASE_SECONDS],
  );
  for (const { journey, kind, from } of actions) {
    expect(await service.records.state(journey.id)).toBe(from);
    expect(await openIntents(journey)).toMatchObject([{ kind }]);
  }
}

async function openIntents({ id }: StartedJourney): Promise<object[]> {
  const intents = await service.records.intents(id);
  return intents.filter(({ status }) => status === 'OPEN');
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
    await service.records.travel(LEASE_SECONDS * 1_000);
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

  it('has the scheduler resolve it, in one step, should nobody act, and pass over one that it cannot', async () => {
    const [other, actions] = await Promise.all([
      journeyIn(service.partner, 'OFFERS_RECEIVED'),
      journeysForActions(),
    ]);
    const broken = { ...actions[0], journey: other };
    // The oldest, so the first in line.
    await cutShort([broken, ...actions]);
    await service.records.query(
      `UPDATE journey_intents SET payload_sealed = 'broken' WHERE journey_id = $1`,
      [other.id],
    );
    await service.travel(LEASE_SECONDS * 1_000);
    await service.start();
    await eventually(
      async () => {
        for (const { journey, to } of actions)
          expect(await service.records.state(journey.id)).toBe(to);
      },
      { withinMs: 30_000 },
    );
    for (const action of actions) await expectOneStep(action);
    expect(await openIntents(other)).toHaveLength(1);
    expect(await service.records.state(other.id)).toBe(broken.from);
  });
});
