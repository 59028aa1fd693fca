import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { AbandonmentTasks } from '../../../src/journeys/background/journey.tasks.js';
import {
  MilestoneTexts,
  MilestoneTextsTasks,
} from '../../../src/journeys/background/milestone-texts.js';
import { MilestonesRepository } from '../../../src/journeys/store/milestones.repository.js';
import { Database } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import {
  atCode,
  codeFor,
  messagesTo,
  newMobile,
  passHeadStart,
} from '../../support/hosted-client.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { pauseTask, pauseWakes } from '../../support/paused-task.js';
import { serviceOfFile } from '../../support/shared-service.js';
import { StepJourney, TEST_MS } from '../hosted-steps/step-journey.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

const DAY_S = 86_400;
const KINDS = ['OFFERS_READY', 'MONEY_PAID', 'COOLING_OFF_ENDING'];
const GATEWAY_DOWN = 'SANDX0011A';

const service = serviceOfFile();
let records: JourneyRecords;

beforeAll(() => {
  records = new JourneyRecords(service.databaseUrl);
  pauseTask(service, MilestoneTextsTasks, 'milestone-texts', 'run');
  pauseWakes(service, MilestonesRepository.DUE);
  pauseTask(service, AbandonmentTasks, 'abandonment', 'run');
});

afterAll(() => records?.close());

/**
 * Lets the service check twice: no message is sent again. A journey that another transaction locks is left for the next
 * check.
 */
async function tell(): Promise<void> {
  const tasks = service.get<MilestoneTextsTasks>(MilestoneTextsTasks);
  await tasks.run();
  await eventually(
    async () => {
      await tasks.run();
      const due = await records.query(
        `SELECT 1 FROM journey_milestones
         WHERE partner_id = $1 AND settled_at IS NULL AND due_at <= app_now()`,
        [service.partnerId],
      );
      expect(due).toEqual([]);
    },
    { withinMs: 20_000 },
  );
}

function at(state: string, options: { mobile?: string; pan?: string } = {}): Promise<StepJourney> {
  return StepJourney.at(state, service, { mobile: newMobile(), ...options });
}

/** The recorded milestones, as `milestone outcome`. */
async function noted({ start }: StepJourney): Promise<string[]> {
  const rows = await records.query<{ milestone: string; outcome: string | null }>(
    'SELECT milestone, outcome FROM journey_milestones WHERE journey_id = $1 ORDER BY milestone',
    [start.id],
  );
  return rows.map(({ milestone, outcome }) => `${milestone} ${outcome}`);
}

/** The milestones' messages, as `kind status`. */
async function texts({ start }: StepJourney): Promise<string[]> {
  const rows = await records.query<{ kind: string; status: string }>(
    'SELECT kind, status FROM sms_messages WHERE subject_id = $1 AND kind = ANY ($2) ORDER BY id',
    [start.id, KINDS],
  );
  return rows.map(({ kind, status }) => `${kind} ${status}`);
}

/** The messages on the phone, once the expected number has arrived and the sender has recorded them. */
async function arrived(journey: StepJourney, kinds: string[]): Promise<void> {
  await passHeadStart(service);
  await eventually(
    async () => {
      const messages = await messagesTo(service, journey.start.mobile);
      const sent = messages.filter(({ kind }) => KINDS.includes(kind)).map(({ kind }) => kind);
      expect(sent.toReversed()).toEqual(kinds);
      expect((await texts(journey)).filter((text) => text.endsWith('WAITING'))).toEqual([]);
    },
    { withinMs: 20_000 },
  );
}

/** Expires the offers; the lenders then make new ones. */
async function runOut({ start }: StepJourney): Promise<void> {
  await records.query('UPDATE journeys SET offers_due_at = app_now() WHERE id = $1', [start.id]);
  await eventually(
    async () => {
      const trail = await records.trail(start.id);
      expect(trail.slice(-2)).toEqual(['OFFERS_RAN_OUT', 'OFFERS_ARRIVED']);
    },
    { withinMs: 20_000 },
  );
}

/** Moves the time to some seconds after the reminder is due. */
async function travelTo({ start }: StepJourney, seconds: number): Promise<void> {
  const [{ dueAt }] = await records.query<{ dueAt: Date }>(
    `SELECT due_at AS "dueAt" FROM journey_milestones
     WHERE journey_id = $1 AND milestone = 'COOLING_OFF_ENDING'`,
    [start.id],
  );
  await service.travel(dueAt.getTime() + seconds * 1_000 - service.now().getTime());
}

describe('the applicant of a hosted journey', () => {
  it('gets one message that offers are ready, with a link to them, and none about offers that came later', async () => {
    const journey = await at('OFFERS_RECEIVED');
    // Two replicas found the same milestone due.
    const due = { ...journey.key, id: journey.start.id, milestone: 'OFFERS_READY' } as const;
    const sender = service.get<MilestoneTexts>(MilestoneTexts);
    for (let look = 1; look <= 2; look += 1) {
      await service.get<Database>(Database).transaction((tx) => sender.send(tx, due));
    }
    expect(await noted(journey)).toEqual(['OFFERS_READY TOLD']);
    await arrived(journey, ['OFFERS_READY']);
    const { mobile } = journey.start;
    const [message] = await messagesTo(service, mobile);
    const link = /https?:\/\/\S+(\/hosted\/start\/[\w-]+)/.exec(message.text)![1];
    const client = await atCode(service, { ...journey.start, link });
    await client.send303({ code: await codeFor(service, mobile) });
    expect(client.page!.path).toBe('/hosted/offers');
    await runOut(journey);
    await tell();
    expect(await noted(journey)).toEqual(['OFFERS_READY TOLD']);
    expect(await texts(journey)).toEqual(['OFFERS_READY HANDED_OVER']);
  });

  it('gets a message about new offers only if the first was cancelled before it was sent', async () => {
    const sendings = ['lease_until = NULL', 'unknowns = 1'];
    const journeys = await Promise.all(
      [...sendings, ''].map(() => at('OFFERS_RECEIVED', { pan: GATEWAY_DOWN })),
    );
    const leaving = journeys.pop()!;
    await tell();
    expect(await texts(leaving)).toEqual(['OFFERS_READY WAITING']);
    await leaving.driveTo('KYC_PENDING');
    expect(await texts(leaving)).toEqual(['OFFERS_READY CANCELLED']);
    const [here, perhapsSent] = journeys;
    for (const [place, journey] of journeys.entries()) {
      await pauseSending(journey, sendings[place]);
      await runOut(journey);
    }
    expect(await noted(here)).toEqual(['OFFERS_READY null']);
    await tell();
    for (const one of journeys) expect(await noted(one)).toEqual(['OFFERS_READY TOLD']);
    expect(await texts(here)).toEqual(['OFFERS_READY CANCELLED', 'OFFERS_READY WAITING']);
    expect(await texts(perhapsSent)).toEqual(['OFFERS_READY CANCELLED']);
  });

  it('is notified once that the money was paid, and that tomorrow is the last to leave when that is due; a reminder does not wait for a gateway that is down', async () => {
    const [journey, waiting, evening] = await Promise.all(
      [undefined, GATEWAY_DOWN, undefined].map((pan) => at('SANCTIONED', { pan })),
    );
    await tell();
    await arrived(journey, ['MONEY_PAID']);
    await travelTo(journey, -60);
    await tell();
    expect(await texts(journey)).toEqual(['MONEY_PAID HANDED_OVER']);
    await records.query(
      `UPDATE journey_milestones SET ends_at = due_at
       WHERE journey_id = $1 AND milestone = 'COOLING_OFF_ENDING'`,
      [evening.start.id],
    );
    await travelTo(journey, 1);
    await tell();
    await arrived(journey, ['MONEY_PAID', 'COOLING_OFF_ENDING']);
    expect(await noted(evening)).toContain('COOLING_OFF_ENDING UNTRUE');
    expect(await texts(waiting)).toContain('COOLING_OFF_ENDING WAITING');
    await travelTo(journey, DAY_S);
    await tell();
    expect(await texts(journey)).toEqual([
      'MONEY_PAID HANDED_OVER',
      'COOLING_OFF_ENDING HANDED_OVER',
    ]);
    await eventually(async () => {
      expect(await texts(waiting)).toContain('COOLING_OFF_ENDING EXPIRED');
    });
  });
});

/** Delays a message by an hour once the first attempt left it in this state. */
async function pauseSending({ start }: StepJourney, sending: string): Promise<void> {
  await eventually(
    async () => {
      const paused = await records.query(
        `UPDATE sms_messages SET next_attempt_at = app_now() + interval '1 hour', ${sending}
         WHERE subject_id = $1 AND kind = ANY ($2) AND status = 'WAITING' AND attempts > 0
           AND lease_until IS NULL RETURNING id`,
        [start.id, KINDS],
      );
      expect(paused).toHaveLength(1);
    },
    { withinMs: 20_000 },
  );
}
