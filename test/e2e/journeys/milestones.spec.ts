import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Milestone } from '../../../src/journey-steps/index.js';
import { AbandonmentTasks } from '../../../src/journeys/background/journey.tasks.js';
import {
  MilestoneTexts,
  MilestoneTextsTasks,
} from '../../../src/journeys/background/milestone-texts.js';
import { MilestonesRepository } from '../../../src/journeys/store/milestones.repository.js';
import { LoanEventIntake } from '../../../src/lender-api/callbacks/callback-intake.js';
import { Database } from '../../../src/platform/index.js';
import { runAdmin } from '../../support/admin-command.js';
import { eventually } from '../../support/eventually.js';
import {
  atCode,
  codeFor,
  messagesTo,
  newMobile,
  passHeadStart,
} from '../../support/hosted-client.js';
import { journeyIn } from '../../support/journey-driver.js';
import { JourneyRecords } from '../../support/journey-records.js';

import { partnerClient } from '../../support/partner-client.js';
import { pauseTask, pauseWakes } from '../../support/paused-task.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { chooseAnother } from '../hosted-steps/leaving-bench.js';
import { StepJourney, TEST_MS } from '../hosted-steps/step-journey.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const KINDS = ['OFFERS_READY', 'KYC_FAILED', 'MONEY_PAID', 'COOLING_OFF_ENDING'];
const GATEWAY_DOWN = 'SANDX0011A';

let service: TestService;
let records: JourneyRecords;

beforeAll(async () => {
  service = await sharedService();
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

/** Sends one milestone's message, as the scheduled task does. */
function sendText({ key, start }: StepJourney, milestone: Milestone): Promise<void> {
  const due = { ...key, id: start.id, milestone };
  const sender = service.get<MilestoneTexts>(MilestoneTexts);
  return service.get<Database>(Database).transaction((tx) => sender.send(tx, due));
}

function all<Item, Result>(
  items: readonly Item[],
  work: (item: Item, place: number) => Promise<Result>,
): Promise<Result[]> {
  return Promise.all(items.map(work));
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

/** Lets the offers expire, and others replace them. */
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

/** Moves the time to an hour in India, some days after the payout. */
async function travelTo({ start }: StepJourney, days: number, time: string): Promise<void> {
  const [{ day, period }] = await records.query<{ day: string; period: number }>(
    `SELECT to_char(j.disbursed_at AT TIME ZONE 'Asia/Kolkata', 'YYYY-MM-DD') AS day,
       (o.terms ->> 'coolingOffDays')::int AS period
     FROM journeys j JOIN journey_offers o ON o.id = j.selected_offer_id WHERE j.id = $1`,
    [start.id],
  );
  const then = Date.parse(`${day}T${time}+05:30`) + (period + days) * DAY_MS;
  await service.travel(then - service.now().getTime());
}

describe('the applicant of a hosted journey', () => {
  it('gets one message that offers are ready, with a link to them, and none about offers that came later', async () => {
    const journey = await at('OFFERS_RECEIVED');
    // Two replicas found the same milestone due.
    for (let look = 1; look <= 2; look += 1) await sendText(journey, 'OFFERS_READY');
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
    const sendings = [
      'lease_until = NULL',
      // One is being sent, one may have been sent.
      `lease_until = app_now() + interval '1 hour'`,
      'unknowns = 1',
    ];
    const journeys = await all(sendings, () => at('OFFERS_RECEIVED', { pan: GATEWAY_DOWN }));
    const leaving = await at('OFFERS_RECEIVED', { pan: GATEWAY_DOWN });
    await tell();
    expect(await texts(leaving)).toEqual(['OFFERS_READY WAITING']);
    await leaving.driveTo('KYC_PENDING');
    expect(await texts(leaving)).toEqual(['OFFERS_READY CANCELLED']);
    await all(journeys, (one, place) => pauseSending(one, sendings[place]));
    await all(journeys, runOut);
    expect(await noted(journeys[0])).toEqual(['OFFERS_READY null']);
    await tell();
    for (const one of journeys) expect(await noted(one)).toEqual(['OFFERS_READY TOLD']);
    const sent = ['OFFERS_READY CANCELLED'];
    expect(await all(journeys, texts)).toEqual([[...sent, 'OFFERS_READY WAITING'], sent, sent]);
  });

  it('gets a message about a failed try of the KYC, but not with the lender of an earlier choice', async () => {
    const [journey, other] = await all([1, 2], () => at('KYC_PENDING', { pan: 'SANDX0004A' }));
    for (const one of [journey, other]) {
      await one.client.get('/hosted/returned/KYC');
      await eventually(async () => expect((await one.view()).stepFailures).toBe(1));
    }
    expect(await noted(other)).toContain('KYC_FAILED null');
    await chooseAnother(other);
    expect((await other.view()).state).toBe('KYC_PENDING');
    await tell();
    await arrived(journey, ['KYC_FAILED']);
    await journey.driveTo('BANK_ACCOUNT_PENDING');
    await tell();
    expect(await noted(journey)).toEqual(['KYC_FAILED TOLD', 'OFFERS_READY UNTRUE']);
    expect(await noted(other)).toContain('KYC_FAILED UNTRUE');
    expect(await texts(other)).toEqual([]);
  });

  it('gets one message about the payout, and by day one about the last day to exit, unless the lender ended the loan', async () => {
    const kinds = ['plain', 'second payout reversed', 'EXITED', 'erased'];
    const journeys = await all(kinds, () => at('SANCTIONED'));
    const [journey, reversed, exited, erased] = journeys;
    const { id } = erased.start;
    const { code } = await runAdmin(service.databaseUrl, 'applicants', 'erase', '--journey', id);
    expect(code).toBe(0);
    await tell();
    for (const one of [journey, exited]) await arrived(one, ['MONEY_PAID']);
    await loanEvent(reversed, 'REVERSED', true);
    await loanEvent(exited, 'EXITED');
    await travelTo(journey, -1, '09:59:00');
    await tell();
    expect(await texts(journey)).toEqual(['MONEY_PAID HANDED_OVER']);
    await travelTo(journey, -1, '10:00:01');
    await tell();
    await arrived(journey, ['MONEY_PAID', 'COOLING_OFF_ENDING']);
    await travelTo(journey, 0, '12:00:00');
    await tell();
    expect(await texts(journey)).toEqual([
      'MONEY_PAID HANDED_OVER',
      'COOLING_OFF_ENDING HANDED_OVER',
    ]);
    expect(await noted(reversed)).toContain('COOLING_OFF_ENDING TOLD');
    expect(await noted(exited)).toContain('COOLING_OFF_ENDING UNTRUE');
    expect(await texts(exited)).toEqual(['MONEY_PAID HANDED_OVER']);
    expect(await noted(erased)).toEqual([
      'COOLING_OFF_ENDING NOBODY',
      'MONEY_PAID NOBODY',
      'OFFERS_READY UNTRUE',
    ]);
    expect(await texts(erased)).toEqual([]);
  });

  it('is not reminded in the evening, nor does a reminder wait longer for a gateway that is down', async () => {
    const journey = await at('SANCTIONED');
    const waiting = await at('SANCTIONED', { pan: GATEWAY_DOWN });
    await tell();
    await travelTo(waiting, -1, '19:00:00');
    await sendText(waiting, 'COOLING_OFF_ENDING');
    expect(await texts(waiting)).toContain('COOLING_OFF_ENDING WAITING');
    await travelTo(journey, -1, '20:00:05');
    await tell();
    expect(await noted(journey)).toContain('COOLING_OFF_ENDING UNTRUE');
    const kinds = (await texts(journey)).map((text) => text.split(' ')[0]);
    expect(kinds).toEqual(['MONEY_PAID']);
    await eventually(async () => {
      expect(await texts(waiting)).toContain('COOLING_OFF_ENDING EXPIRED');
    });
  });
});

/** Stops the background from sending a message for an hour after one try that ended in this state. */
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

type LoanEvent = Parameters<LoanEventIntake['take']>[2]['body']['event'];

/** Records a lender's message about the journey's loan. */
async function loanEvent(
  { start }: StepJourney,
  event: LoanEvent,
  ofAnother = false,
): Promise<void> {
  const [loan] = await records.query<{ lender: string; application: string; reference: string }>(
    // The sandbox's lenders have no loan references.
    `INSERT INTO lender_references
       (lender_code, kind, reference, subject_id, application_id, partner_id, is_payout_told)
     SELECT o.lender_code, 'LOAN', 'LOAN-' || j.id, j.id, j.application_id, j.partner_id, true
     FROM journeys j JOIN journey_offers o ON o.id = j.selected_offer_id WHERE j.id = $1
     RETURNING application_id AS application, lender_code AS lender, reference`,
    [start.id],
  );
  const id = `${start.id}-${event}`;
  const body = {
    id,
    applicationId: loan.application,
    loanReference: ofAnother ? `${loan.reference}-2` : loan.reference,
    event,
    happenedAt: service.now().toISOString(),
  };
  const json = JSON.stringify(body);
  const intake = service.get<LoanEventIntake>(LoanEventIntake);
  await service
    .get<Database>(Database)
    .transaction((tx) => intake.take(tx, loan.lender, { name: 'LOAN_EVENTS', id, body, json }));
}

async function abandon({ start }: StepJourney): Promise<void> {
  await records.query(
    `UPDATE journeys SET last_activity_at = app_now() - interval '8 days' WHERE id = $1`,
    [start.id],
  );
  await service.get<AbandonmentTasks>(AbandonmentTasks).run();
  expect(await records.state(start.id)).toBe('ABANDONED');
}

describe('no message is sent', () => {
  it('of offers when the journey has moved on, also when what waits was left as it is', async () => {
    const journey = await at('OFFERS_RECEIVED');
    await abandon(journey);
    for (let look = 1; look <= 2; look += 1) {
      await tell();
      expect(await noted(journey)).toEqual(['OFFERS_READY UNTRUE']);
      expect(await texts(journey)).toEqual([]);
      await records.query(
        'UPDATE journey_milestones SET outcome = NULL, settled_at = NULL WHERE journey_id = $1',
        [journey.start.id],
      );
    }
  });

  it('to the applicant of a headless journey', async () => {
    const { id } = await journeyIn(partnerClient(service), 'KYC_PENDING');
    const rows = await records.query('SELECT 1 FROM journey_milestones WHERE journey_id = $1', [
      id,
    ]);
    expect(rows).toEqual([]);
  });
});
