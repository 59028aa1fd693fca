// Isolated: counts what the whole service sends.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { KeyAccessRepository } from '../../../src/auth/store/key-access.repository.js';
import { IdGenerator, OffsetClock } from '../../../src/platform/index.js';
import { type AlertEmails, AlertPublisher } from '../../../src/webhooks/alerts/alert-publisher.js';
import { AlertsTasks } from '../../../src/webhooks/alerts/alerts.tasks.js';
import { EVENT_NAMES } from '../../../src/webhooks/index.js';
import { AlertsRepository } from '../../../src/webhooks/store/alerts.repository.js';
import { DeliveryBench, GONE, REFUSAL, SUCCESS } from './delivery-bench.js';
import { StreamReplica } from './stream-reader.js';
import { PARTNER, someEvent } from './some-event.js';

// The alerts about webhooks and keys that a partner gets from two replicas on one database.

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FAILING = 'webhook.endpoint_failing';
const DISABLED = 'webhook.endpoint_disabled';
const NEAR = 'api_key.limit_near';

// alert-emails.spec.ts covers alerts by e-mail.
const NO_MAIL = { enqueue: () => Promise.resolve() } as unknown as AlertEmails;

let bench: DeliveryBench;
let other: DeliveryBench;
let first: AlertsTasks;
let second: AlertsTasks;

function tasksOf({ database, publisher }: DeliveryBench): AlertsTasks {
  const alerts = new AlertsRepository(database);
  const clock = new OffsetClock();
  const raised = new AlertPublisher(clock, new IdGenerator(clock), alerts, publisher, NO_MAIL);
  const keys = new KeyAccessRepository(database);
  return new AlertsTasks(database, alerts, keys, raised, NO_MAIL);
}

beforeAll(async () => {
  bench = await DeliveryBench.open();
  other = await bench.replica();
  [first, second] = [tasksOf(bench), tasksOf(other)];
});

beforeEach(async () => {
  await bench.reset();
  await bench.database.query('TRUNCATE webhook_streams, api_keys CASCADE');
});

afterAll(async () => {
  await other.close();
  await bench.close();
});

async function look(): Promise<void> {
  for (let time = 0; time < 2; time += 1) {
    await Promise.all([first, second].map((tasks) => tasks.tellOfEndpoints()));
    await Promise.all([first, second].map((tasks) => tasks.tellOfLimits()));
  }
}

interface StoredAlert extends Record<string, unknown> {
  name: string;
  partnerId: string;
  body: string;
  to: string[];
}

function storedAlerts(): Promise<StoredAlert[]> {
  return bench.database.query<StoredAlert>(
    `SELECT e.name, e.partner_id AS "partnerId", e.body,
       ARRAY(SELECT d.subscription_id FROM webhook_deliveries d WHERE d.event_id = e.id
         ORDER BY d.subscription_id) AS "to"
     FROM webhook_events e WHERE e.journey_id IS NULL ORDER BY e.id`,
  );
}

async function alertNames(): Promise<string[]> {
  return (await storedAlerts()).map(({ name }) => name);
}

/** Makes `times` attempts on a subscription; those on others succeed. Waits for no probe. */
async function answer(id: string, times: number, result = REFUSAL): Promise<void> {
  for (let time = 0; time < times;) {
    for (const claim of await bench.claims.claim()) {
      const isOurs = claim.lane.subscriptionId === id;
      if (isOurs) time += 1;
      await bench.finish(claim, isOurs ? result : SUCCESS, 0);
    }
    await bench.database.query(
      'UPDATE webhook_lanes SET probe_at = app_now() WHERE probe_at IS NOT NULL',
    );
  }
}

async function fail(id: string, times = 5, result = REFUSAL): Promise<void> {
  await bench.publish(someEvent());
  await answer(id, times, result);
}

async function failingSince(id: string): Promise<Date> {
  return (await bench.lane(id)).failingSince!;
}

describe('an endpoint whose breaker opens', () => {
  it('is reported once by two replicas, and again if it worked in between, but at most once an hour', async () => {
    const failing = await bench.subscribe();
    const alerted = await bench.subscribe({ events: [FAILING] });
    await fail(failing, 4);
    await look();
    expect(await storedAlerts()).toEqual([]);
    await answer(failing, 1);
    await look();
    const [alert, ...more] = await storedAlerts();
    expect(more).toEqual([]);
    expect(alert).toMatchObject({ name: FAILING, partnerId: PARTNER, to: [alerted] });
    expect(JSON.parse(alert.body)).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/) as string,
      event: FAILING,
      createdAt: expect.any(String) as string,
      apiVersion: 'v1',
      data: {
        subscriptionId: failing,
        failingSince: (await failingSince(failing)).toISOString(),
        failureCount: 5,
      },
    });
    await answer(failing, 1, SUCCESS);
    await fail(failing);
    await look();
    expect(await alertNames()).toEqual([FAILING]);
    for (let hour = 0; hour < 2; hour += 1) {
      await bench.travel(HOUR_MS + 1_000);
      await look();
      expect(await alertNames()).toEqual([FAILING, FAILING]);
    }
  });
});

describe('an endpoint that goes inactive', () => {
  it('after twenty failures and three days is reported in addition to its failing', async () => {
    const failing = await bench.subscribe();
    await fail(failing, 19);
    await look();
    await bench.travel(3 * DAY_MS + 1_000);
    await answer(failing, 1);
    await look();
    expect(await alertNames()).toEqual([FAILING, DISABLED]);
    const [, { body }] = await storedAlerts();
    expect(JSON.parse(body)).toMatchObject({ data: { reason: 'FAILING', failureCount: 20 } });
  });

  it('with a 410 is reported with that reason, and not again after a month, each in its place of the stream', async () => {
    const alerted = await bench.subscribe({ events: [DISABLED] });
    const [inactive, enabled] = [await bench.subscribe(), await bench.subscribe()];
    for (const id of [inactive, enabled]) {
      await fail(id, 1, GONE);
      await look();
    }
    await bench.publish(someEvent({ journeyId: 'jrn_later' }));
    const alerts = await storedAlerts();
    expect(alerts.map(({ name, to }) => [name, to])).toEqual([
      [DISABLED, [alerted]],
      [DISABLED, [alerted]],
    ]);
    const data = { subscriptionId: inactive, reason: 'GONE', failureCount: 1 };
    expect(alerts.map(({ body }) => JSON.parse(body) as object)).toContainEqual(
      expect.objectContaining({ data: expect.objectContaining(data) as object }),
    );
    const read = await new StreamReplica(bench).readAll(null);
    const written = await bench.database.query('SELECT id FROM webhook_events ORDER BY id');
    expect(read.map(({ id }) => ({ id }))).toEqual(written);

    await bench.database.transaction((tx) => bench.subscriptions.enable(tx, PARTNER, enabled));
    await bench.travel(31 * DAY_MS);
    await Promise.all([first.clean(), second.clean()]);
    const kept = await bench.database.query('SELECT subject_id AS id FROM webhook_alerts');
    expect(kept).toEqual([{ id: inactive }]);
    await look();
    expect(await alertNames()).toEqual([DISABLED, DISABLED]);
  });

  it('by its partner is not reported, whatever its last attempts answered', async () => {
    const disable = (id: string) =>
      bench.database.transaction((tx) => bench.subscriptions.disable(tx, PARTNER, id));
    const [paused, refusing] = [await bench.subscribe(), await bench.subscribe()];
    await fail(paused, 4);
    await disable(paused);
    await disable(paused);
    await bench.publish(someEvent());
    const [claim] = await bench.claims.claim();
    await disable(refusing);
    await bench.finish(claim, GONE, 0);
    expect(await bench.lane(refusing)).toMatchObject({ failureCount: 1, isActive: false });
    await look();
    expect(await storedAlerts()).toEqual([]);
  });

  it('just before its partner disables it is reported', async () => {
    const id = await bench.subscribe();
    await fail(id, 1, GONE);
    await bench.database.transaction((tx) => bench.subscriptions.disable(tx, PARTNER, id));
    await look();
    expect(await alertNames()).toEqual([DISABLED]);
  });
});

describe('an alert', () => {
  it('goes only to those that name it, never to the endpoint that it tells of, nor to another partner that is alerted at the same moment', async () => {
    const failing = await bench.subscribe({ events: [...EVENT_NAMES] });
    await bench.subscribe({ events: ['journey.initiated', NEAR] });
    const alerted = await bench.subscribe({ events: ['journey.completed', FAILING] });
    const theirs = await bench.subscribe({ partnerId: 'other' });
    const theirAlerted = await bench.subscribe({ partnerId: 'other', events: [FAILING] });
    await fail(failing);
    await bench.database.query(
      `UPDATE webhook_lanes AS theirs SET failure_count = f.failure_count, probe_at = f.probe_at,
         failing_since = f.failing_since, probe_wait_seconds = f.probe_wait_seconds,
         fails_journey_events = true
       FROM webhook_lanes AS f WHERE theirs.subscription_id = $1 AND f.subscription_id = $2`,
      [theirs, failing],
    );
    await look();
    const sent = (await storedAlerts()).map(({ name, partnerId, to }) => ({ partnerId, name, to }));
    expect(sent).toHaveLength(2);
    expect(sent).toContainEqual({ partnerId: PARTNER, name: FAILING, to: [alerted] });
    expect(sent).toContainEqual({ partnerId: 'other', name: FAILING, to: [theirAlerted] });
  });

  it('that is refused raises none, nor does its 410, also where a journey’s event was refused first and taken then', async () => {
    const mixed = await bench.subscribe({ events: ['journey.initiated', FAILING] });
    await fail(mixed, 2);
    await answer(mixed, 1, SUCCESS);
    const failing = await bench.subscribe();
    await fail(failing);
    await look();
    expect(await storedAlerts()).toMatchObject([{ name: FAILING, to: [mixed] }]);
    await answer(mixed, 6);
    expect(await bench.lane(mixed)).toMatchObject({ failureCount: 6 });
    await look();
    await answer(mixed, 1, GONE);
    expect(await bench.lane(mixed)).toMatchObject({ isActive: false });
    await look();
    expect((await storedAlerts()).filter(({ body }) => body.includes(mixed))).toEqual([]);
  });
});

describe('a key that has used 80 % of the limit of its day', () => {
  async function key(id: string, used: number, status = 'ACTIVE'): Promise<void> {
    await bench.database.query(
      `INSERT INTO api_keys (id, partner_id, name, origin, mode, key_hash, hint, secret_sealed,
         scopes, products, minute_limit, day_limit, status)
       VALUES ($1, $2, $1, 'FILE', 'test', $1, 'hint_' || $1, 'sealed', '{}', '{}', 10, 100, $3)`,
      [id, PARTNER, status],
    );
    await bench.database.query(
      `INSERT INTO api_key_windows (key_id, day, day_used)
       VALUES ($1, (app_now() AT TIME ZONE 'Asia/Kolkata')::date, $2)`,
      [id, used],
    );
  }

  it('is reported once a day, and not before', async () => {
    const alerted = await bench.subscribe({ events: [NEAR] });
    await key('key_below', 79);
    await key('key_near', 80);
    await key('key_suspended', 100, 'SUSPENDED');
    await look();
    const [alert, ...more] = await storedAlerts();
    expect(more).toEqual([]);
    expect(alert).toMatchObject({ name: NEAR, partnerId: PARTNER, to: [alerted] });
    expect(JSON.parse(alert.body)).toMatchObject({
      event: NEAR,
      data: {
        keyName: 'key_near',
        keyHint: 'hint_key_near',
        day: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) as string,
        used: 80,
        limit: 100,
      },
    });
    await bench.database.query(
      `UPDATE api_key_windows SET day_used = 95 WHERE key_id = 'key_near'`,
    );
    await look();
    expect(await alertNames()).toEqual([NEAR]);
  });
});
