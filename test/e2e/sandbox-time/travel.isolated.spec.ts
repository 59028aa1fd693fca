// Isolated: moves the time of two replicas, which other work would slow down.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { onTestFinished, vi } from 'vitest';
import { RequestNoncesRepository } from '../../../src/auth/store/admissions.repository.js';
import { DuePoller } from '../../../src/platform/index.js';
import { SandboxTime } from '../../../src/sandbox/index.js';
import { SandboxClockNews } from '../../../src/sandbox/sandbox-clock-news.js';
import {
  SandboxClockRepository,
  TRAVEL_LOCK,
} from '../../../src/sandbox/store/sandbox-clock.repository.js';
import { MAX_ATTEMPTS, retryDelayMs } from '../../../src/webhooks/sender/delivery-attempt.js';
import { eventually } from '../../support/eventually.js';
import { messagesTo, newMobile } from '../../support/hosted-client.js';
import { applyForInstantLoan } from '../../support/instant-loans.js';
import { driveTo, journeyIn, readJourney, startJourney } from '../../support/journey-driver.js';
import { JourneyRecords } from '../../support/journey-records.js';
import type { PartnerClient } from '../../support/partner-client.js';
import { startTwoReplicas, type TwoReplicas } from '../../support/service.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { clientOf, issueKey } from '../auth/auth-harness.js';
import { StepJourney } from '../hosted-steps/step-journey.js';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SOON = 2 * MINUTE;
/** A call on a slow machine may move the time by up to an hour more. */
const A_MOMENT = HOUR;

interface Travelled {
  from: string;
  now: string;
  hasArrived: boolean;
}

let replicas: TwoReplicas;
let records: JourneyRecords;
let receiver: WebhookReceiver;
let first: PartnerClient;
let second: PartnerClient;

beforeAll(async () => {
  replicas = await startTwoReplicas();
  records = new JourneyRecords(replicas.first.databaseUrl);
  receiver = await WebhookReceiver.start();
});

beforeEach(async () => {
  const key = await issueKey(replicas.first, {
    products: ['ONLINE_PERSONAL', 'ONLINE_INSTANT'],
  });
  first = clientOf(replicas.first, key);
  second = clientOf(replicas.second, key);
});

afterEach(async () => {
  receiver.reset();
  const { json } = await first.get<{ subscriptions: { subscriptionId: string }[] }>('/webhooks');
  for (const { subscriptionId } of json.data.subscriptions) {
    await first.delete(`/webhooks/${subscriptionId}`);
  }
});

afterAll(async () => {
  await receiver?.stop();
  await records?.close();
  await replicas?.close();
});

async function travel(client: PartnerClient, milliseconds: number): Promise<Travelled> {
  const body = { advanceSeconds: milliseconds / SECOND };
  const { status, json } = await client.post<Travelled>('/sandbox/time', body);
  expect([status, json.error]).toEqual([200, undefined]);
  expect(json.data.hasArrived).toBe(true);
  return json.data;
}

const spanOf = ({ from, now }: Travelled) => Date.parse(now) - Date.parse(from);

function expectSoonAfter(span: number, expected: number): void {
  expect(span).toBeGreaterThanOrEqual(expected);
  expect(span).toBeLessThan(expected + A_MOMENT + SOON);
}

async function refusingReceiver(): Promise<WebhookReceiver> {
  const refusing = await WebhookReceiver.start();
  onTestFinished(() => refusing.stop());
  refusing.answerAlways(500);
  await first.post('/webhooks', { url: refusing.url(), events: ['journey.initiated'] });
  return refusing;
}

function attemptsOf(journeyId: string, to: WebhookReceiver): Promise<{ at: number }[]> {
  return records.query(
    `SELECT (extract(epoch FROM a.started_at) * 1000)::float8 AS at
     FROM webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id
     JOIN webhook_events e ON e.id = d.event_id
     JOIN webhook_subscriptions s ON s.id = d.subscription_id
     WHERE e.name = 'journey.initiated' AND e.body::jsonb ->> 'journeyId' = $1 AND s.url = $2
     ORDER BY a.attempt`,
    [journeyId, to.url()],
  );
}

describe('one call on one of two replicas', () => {
  it('has all come to pass that is due: a journey left alone, a loan unpaid, a reminder, a webhook’s tries', async () => {
    await first.post('/webhooks', { url: receiver.url() });
    const journey = await journeyIn(first, 'KYC_PENDING');
    const loan = await applyForInstantLoan(first, { mobile: newMobile() });
    const mobile = newMobile();
    const { start } = await StepJourney.at('SANCTIONED', replicas.first, { mobile });
    const refusing = await refusingReceiver();
    const { id } = await startJourney(first);
    await eventually(() => expect(refusing.deliveries).toHaveLength(1));
    const travelled = await travel(second, 10 * DAY);
    expectSoonAfter(spanOf(travelled), 10 * DAY);

    const { state } = await readJourney(first, journey);
    expect(state).toBe('ABANDONED');
    const [{ idle }] = await records.query<{ idle: number }>(
      `SELECT (extract(epoch FROM updated_at - last_activity_at) * 1000)::float8 AS idle
       FROM journeys WHERE id = $1`,
      [journey.id],
    );
    expectSoonAfter(idle, 7 * DAY);
    // No wait: everything was processed before the response.
    const bodies = receiver.deliveries.map((delivery) => delivery.json());
    const abandoned = bodies.find(
      ({ event, journeyId }) => event === 'journey.abandoned' && journeyId === journey.id,
    );
    expect(abandoned).toBeDefined();

    const lead = await first.get(`/leads/${loan.json.data.applicationId}/status`);
    expect(lead.json.data.status).toBe('EXPIRED');

    const [reminder, ...more] = await records.query<{ isIn: boolean }>(
      `SELECT m.settled_at <= j.disbursed_at + (o.terms ->> 'coolingOffDays')::int * interval '1 day'
         + interval '1 day' AS "isIn"
       FROM journey_milestones m JOIN journeys j ON j.id = m.journey_id
       JOIN journey_offers o ON o.id = j.selected_offer_id
       WHERE m.journey_id = $1 AND m.milestone = 'COOLING_OFF_ENDING'`,
      [start.id],
    );
    expect([reminder, more]).toEqual([{ isIn: true }, []]);
    expect((await messagesTo(replicas.first, mobile)).map(({ kind }) => kind)).toContain(
      'COOLING_OFF_ENDING',
    );

    const attempts = await attemptsOf(id, refusing);
    expect(attempts).toHaveLength(MAX_ATTEMPTS);
    for (let made = 1; made < MAX_ATTEMPTS; made += 1) {
      const [least, waited] = [retryDelayMs(made, 0)!, attempts[made].at - attempts[made - 1].at];
      // Also allows for the breaker's wait of at most ten minutes.
      expect(waited).toBeGreaterThanOrEqual(least - SECOND);
      expect(waited).toBeLessThan(least * 1.2 + 10 * MINUTE + A_MOMENT + SOON);
    }
    // Each is signed at the real time.
    for (const { headers } of refusing.deliveries) {
      const signedAt = Number(headers['webhook-timestamp']) * SECOND;
      expect(Math.abs(signedAt - Date.now())).toBeLessThan(4 * MINUTE);
    }
  });

  it('dates a webhook’s attempts by the stored time, also on a replica that has not followed yet', async () => {
    const refusing = await refusingReceiver();
    const { id } = await startJourney(first);
    await eventually(async () => expect(await attemptsOf(id, refusing)).toHaveLength(1));
    const following = vi.spyOn(SandboxTime.prototype, 'follow').mockResolvedValue(0);
    onTestFinished(() => following.mockRestore());
    await replicas.first.get(SandboxClockRepository).move(HOUR);
    await eventually(async () => {
      replicas.first.get(DuePoller).lookNow();
      expect(await attemptsOf(id, refusing)).toHaveLength(2);
    });
    const [once, again] = await attemptsOf(id, refusing);
    expectSoonAfter(again.at - once.at, HOUR);
  });

  it('moves both replicas, and answers of both say what time it is there; sent again to a moment it moves no further', async () => {
    const to = new Date(replicas.first.now().getTime() + HOUR).toISOString();
    const { json } = await first.post<Travelled>('/sandbox/time', { to });
    const now = Date.parse(json.data.now);
    expect(now).toBeGreaterThanOrEqual(Date.parse(to));
    for (const service of [replicas.first, replicas.second]) {
      expect(Math.abs(service.now().getTime() - now)).toBeLessThan(SOON);
    }
    const answers = [first, second].map((client) => client.get('/products'));
    // Also a request that is rejected before routing.
    answers.push(first.get('/nothing-here'), first.get('/products', { overrides: { nonce: '' } }));
    for (const { headers } of await Promise.all(answers)) {
      const said = Date.parse(String(headers['x-sandbox-time']));
      expect(Math.abs(said - now)).toBeLessThan(SOON);
      expect(Math.abs(Date.parse(String(headers.date)) - Date.now())).toBeLessThan(SOON);
    }
    const again = await second.post<Travelled>('/sandbox/time', { to });
    expect(again.status).toBe(200);
    expect(spanOf(again.json.data)).toBeLessThan(SOON);
  });
});

describe('what is signed', () => {
  it('keeps to the real time: a call that is signed at the sandbox’s is refused, and none is good twice', async () => {
    const timestamp = String(Math.floor(Date.now() / SECOND) + 200);
    const overrides = { nonce: randomUUID(), timestamp };
    expect((await first.get('/products', { overrides })).status).toBe(200);
    await travel(first, DAY);
    await replicas.first.get<RequestNoncesRepository>(RequestNoncesRepository).forgetExpired();
    const again = await first.get('/products', { overrides });
    expect([again.status, again.json.code]).toEqual([401, 'nonce_reused']);
    const moved = String(Math.floor(replicas.first.now().getTime() / SECOND));
    const answer = await first.get('/products', { overrides: { timestamp: moved } });
    expect([answer.status, answer.json.code]).toEqual([401, 'invalid_signature']);
    expect((await first.get('/products')).status).toBe(200);
  });
});

describe('a call that moves time', () => {
  it('goes forward alone, by one of its two fields, and not too far', async () => {
    const ahead = (days: number, from = Date.now()) => new Date(from + days * DAY).toISOString();
    const before = replicas.first.now().getTime();
    for (const body of [
      {},
      { advanceSeconds: -60 },
      { advanceSeconds: 1.5 },
      { advanceSeconds: 730 * 86_400 },
      { advanceSeconds: 60, to: ahead(800) },
      { to: 'tomorrow' },
      { to: ahead(731) },
      ...[HOUR / DAY, 1, 9_000].map((days) => ({ to: ahead(-days, before) })),
    ]) {
      const { status, json } = await first.post('/sandbox/time', body);
      expect([body, status, json.code]).toEqual([body, 400, 'validation_failed']);
    }
    expect(replicas.first.now().getTime() - before).toBeLessThan(SOON);
  });

  it('moves time no further when the connection that keeps others out breaks', async () => {
    const before = replicas.first.now().getTime();
    const news = replicas.first.get<SandboxClockNews>(SandboxClockNews);
    const spy = vi.spyOn(news, 'tell').mockImplementationOnce(async () => {
      await records.query(
        `SELECT pg_terminate_backend(pid) FROM pg_locks
         WHERE locktype = 'advisory' AND objid = $1 AND granted
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        [TRAVEL_LOCK],
      );
    });
    const { status, json } = await first.post('/sandbox/time', { advanceSeconds: 86_400 });
    spy.mockRestore();
    expect([status, json.code]).toEqual([503, 'service_unavailable']);
    expect(replicas.first.now().getTime() - before).toBeLessThan(SOON);
    expectSoonAfter(spanOf(await travel(second, HOUR)), HOUR);
  });

  it('that fails on the way leaves time where it got, and the next one goes on', async () => {
    const journey = await driveTo(first, await startJourney(first), 'KYC_PENDING');
    const time = replicas.first.get<SandboxTime>(SandboxTime);
    const move = time.travel.bind(time);
    // The first step is stored; the replica fails at the next.
    const spy = vi
      .spyOn(time, 'travel')
      .mockImplementationOnce(move)
      .mockRejectedValue(new Error('gone'));
    const to = new Date(replicas.first.now().getTime() + 8 * DAY).toISOString();
    expect((await first.post('/sandbox/time', { to })).status).toBe(500);
    spy.mockRestore();
    expect(replicas.second.now().getTime()).toBeLessThan(Date.parse(to));
    const { status, json } = await second.post<Travelled>('/sandbox/time', { to });
    expect([status, json.data.hasArrived]).toEqual([200, true]);
    expect((await readJourney(first, journey)).state).toBe('ABANDONED');
  });
});
