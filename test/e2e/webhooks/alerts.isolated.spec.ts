// Isolated: what is sent in the whole service is counted.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { KeyAccessRepository } from '../../../src/auth/store/key-access.repository.js';
import { IdGenerator, OffsetClock, type Tx } from '../../../src/platform/index.js';
import {
  type AlertEmails,
  AlertPublisher,
  type PublishedAlert,
} from '../../../src/webhooks/alerts/alert-publisher.js';
import { AlertsTasks } from '../../../src/webhooks/alerts/alerts.tasks.js';
import { ALERT_NAMES, EVENT_NAMES } from '../../../src/webhooks/index.js';
import { AlertsRepository } from '../../../src/webhooks/store/alerts.repository.js';
import { DeliveryBench, GONE, REFUSAL, SUCCESS } from './delivery-bench.js';
import { OpenTransaction, StreamReplica } from './stream-reader.js';
import { PARTNER, someEvent } from './some-event.js';

// What a partner is told of its webhooks and keys, by two replicas on one database.

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FAILING = 'webhook.endpoint_failing';
const DISABLED = 'webhook.endpoint_disabled';
const NEAR = 'api_key.limit_near';

// Alerts by e-mail: alert-emails.spec.ts.
const NO_MAIL = { enqueue: () => Promise.resolve() } as unknown as AlertEmails;

let bench: DeliveryBench;
let other: DeliveryBench;
let first: Replica;
let second: Replica;

class Replica {
  readonly tasks: AlertsTasks;
  private readonly publisher: AlertPublisher;

  constructor({ database, publisher }: DeliveryBench) {
    const alerts = new AlertsRepository(database);
    const clock = new OffsetClock();
    this.publisher = new AlertPublisher(clock, new IdGenerator(clock), alerts, publisher, NO_MAIL);
    const keys = new KeyAccessRepository(database);
    this.tasks = new AlertsTasks(database, alerts, keys, this.publisher, NO_MAIL);
  }

  publish(tx: Tx, alert: PublishedAlert): Promise<void> {
    return this.publisher.publish(tx, [alert]);
  }
}

beforeAll(async () => {
  bench = await DeliveryBench.open();
  other = await bench.replica();
  first = new Replica(bench);
  second = new Replica(other);
});

beforeEach(async () => {
  await bench.reset();
  await bench.database.query('TRUNCATE webhook_streams, api_keys CASCADE');
});

afterAll(async () => {
  await other.close();
  await bench.close();
});

/** Both replicas look at the same moment, and each once more. */
async function look(): Promise<void> {
  for (let time = 0; time < 2; time += 1) {
    await Promise.all([first, second].map(({ tasks }) => tasks.tellOfEndpoints()));
    await Promise.all([first, second].map(({ tasks }) => tasks.tellOfLimits()));
  }
}

interface Told extends Record<string, unknown> {
  name: string;
  partnerId: string;
  body: string;
  /** The subscriptions that get it. */
  to: string[];
}

/** The alerts, the first one first. */
function told(): Promise<Told[]> {
  return bench.database.query<Told>(
    `SELECT e.name, e.partner_id AS "partnerId", e.body,
       ARRAY(SELECT d.subscription_id FROM webhook_deliveries d WHERE d.event_id = e.id
         ORDER BY d.subscription_id) AS "to"
     FROM webhook_events e WHERE e.journey_id IS NULL ORDER BY e.id`,
  );
}

async function toldNames(): Promise<string[]> {
  return (await told()).map(({ name }) => name);
}

/** So many attempts on a subscription; what is due on others succeeds. No probe is waited for. */
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

/** An event of a journey, at which an endpoint fails so often. */
async function fail(id: string, times = 5, result = REFUSAL): Promise<void> {
  await bench.publish(someEvent());
  await answer(id, times, result);
}

async function sinceOf(id: string): Promise<{ failing: Date; inactive: Date }> {
  const [row] = await bench.database.query<{ failing: Date; inactive: Date }>(
    `SELECT failing_since AS failing, inactive_since AS inactive FROM webhook_lanes
     WHERE subscription_id = $1`,
    [id],
  );
  return row;
}

describe('an endpoint whose breaker opens', () => {
  it('is told of once, on two replicas that look at the same moment', async () => {
    const failing = await bench.subscribe();
    const alerted = await bench.subscribe({ events: [FAILING] });
    await fail(failing, 4);
    await look();
    expect(await told()).toEqual([]);
    await answer(failing, 1);
    await look();
    const [alert, ...more] = await told();
    expect(more).toEqual([]);
    expect(alert).toMatchObject({ name: FAILING, partnerId: PARTNER, to: [alerted] });
    expect(JSON.parse(alert.body)).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/) as string,
      event: FAILING,
      createdAt: expect.any(String) as string,
      apiVersion: 'v1',
      data: {
        subscriptionId: failing,
        failingSince: (await sinceOf(failing)).failing.toISOString(),
        failureCount: 5,
      },
    });
  });

  it('is told of again when it worked in between, but once in an hour at most', async () => {
    const failing = await bench.subscribe();
    await fail(failing);
    await look();
    await answer(failing, 1, SUCCESS);
    await fail(failing);
    await look();
    expect(await toldNames()).toEqual([FAILING]);
    await bench.travel(HOUR_MS + 1_000);
    await look();
    expect(await toldNames()).toEqual([FAILING, FAILING]);
    await bench.travel(HOUR_MS + 1_000);
    await look();
    expect(await toldNames()).toEqual([FAILING, FAILING]);
  });
});

describe('an endpoint that goes inactive', () => {
  it('with a 410 is told of with that reason', async () => {
    const gone = await bench.subscribe();
    const alerted = await bench.subscribe({ events: [DISABLED] });
    await fail(gone, 1, GONE);
    await look();
    const [alert, ...more] = await told();
    expect(more).toEqual([]);
    expect(alert).toMatchObject({ name: DISABLED, to: [alerted] });
    expect(JSON.parse(alert.body)).toMatchObject({
      data: {
        subscriptionId: gone,
        disabledAt: (await sinceOf(gone)).inactive.toISOString(),
        reason: 'GONE',
        failureCount: 1,
      },
    });
  });

  it('after twenty failures and three days is told of beside its failing', async () => {
    const failing = await bench.subscribe();
    await fail(failing, 19);
    await look();
    await bench.travel(3 * DAY_MS + 1_000);
    await answer(failing, 1);
    await look();
    expect(await toldNames()).toEqual([FAILING, DISABLED]);
    const [, { body }] = await told();
    expect(JSON.parse(body)).toMatchObject({ data: { reason: 'FAILING', failureCount: 20 } });
  });

  it('is not told of again after a month, when what told of it is forgotten', async () => {
    const [inactive, enabled] = [await bench.subscribe(), await bench.subscribe()];
    await fail(inactive, 1, GONE);
    await fail(enabled, 1, GONE);
    await look();
    await bench.database.transaction((tx) => bench.subscriptions.enable(tx, PARTNER, enabled));
    await bench.travel(31 * DAY_MS);
    await Promise.all([first.tasks.clean(), second.tasks.clean()]);
    const kept = await bench.database.query('SELECT subject_id AS id FROM webhook_alerts');
    expect(kept).toEqual([{ id: inactive }]);
    await look();
    expect(await toldNames()).toEqual([DISABLED, DISABLED]);
  });
});

describe('an alert', () => {
  it('goes to those alone that name it, never to whom it tells of, nor to another partner', async () => {
    const failing = await bench.subscribe({ events: [...EVENT_NAMES] });
    await bench.subscribe();
    await bench.subscribe({ events: ['journey.initiated', NEAR] });
    await bench.subscribe({ partnerId: 'other', events: [FAILING] });
    const alerted = await bench.subscribe({ events: ['journey.completed', FAILING] });
    await fail(failing);
    await look();
    expect(await told()).toMatchObject([{ name: FAILING, to: [alerted] }]);
  });

  it('that is refused raises none, however often, nor does its 410', async () => {
    const failing = await bench.subscribe();
    const refusing = await bench.subscribe({ events: [...ALERT_NAMES] });
    await bench.subscribe({ events: [...ALERT_NAMES] });
    await fail(failing);
    await look();
    expect(await toldNames()).toEqual([FAILING]);
    await answer(refusing, 6);
    expect(await bench.lane(refusing)).toMatchObject({ failureCount: 6 });
    await look();
    await answer(refusing, 1, GONE);
    expect(await bench.lane(refusing)).toMatchObject({ isActive: false });
    await look();
    expect(await toldNames()).toEqual([FAILING]);
  });

  it('that is refused raises none after a journey’s event was refused first and taken then', async () => {
    const mixed = await bench.subscribe({ events: ['journey.initiated', FAILING] });
    await fail(mixed, 2);
    await answer(mixed, 1, SUCCESS);
    const failing = await bench.subscribe();
    await fail(failing);
    await look();
    expect(await told()).toMatchObject([{ name: FAILING, to: [mixed] }]);
    await answer(mixed, 6);
    expect(await bench.lane(mixed)).toMatchObject({ failureCount: 6 });
    await look();
    expect(await toldNames()).toEqual([FAILING]);
  });

  it('is told by another replica when the one that tells it is killed before its commit', async () => {
    const failing = await bench.subscribe();
    await fail(failing);
    const killed = await OpenTransaction.on(other.database);
    await second.publish(killed.tx, {
      partnerId: PARTNER,
      name: FAILING,
      subjectId: failing,
      since: (await sinceOf(failing)).failing,
      data: { subscriptionId: failing, failingSince: 'lost', failureCount: 5 },
    });
    const looking = first.tasks.tellOfEndpoints();
    await killed.rollBack();
    await looking;
    expect(await toldNames()).toEqual([FAILING]);
    expect((await told())[0].body).not.toContain('lost');
  });

  it('is not told twice when the one that tells it commits while another looks', async () => {
    const failing = await bench.subscribe();
    await bench.subscribe({ events: [FAILING] });
    await fail(failing);
    const open = await OpenTransaction.on(other.database);
    await second.publish(open.tx, {
      partnerId: PARTNER,
      name: FAILING,
      subjectId: failing,
      since: (await sinceOf(failing)).failing,
      data: { subscriptionId: failing, failingSince: 'first', failureCount: 5 },
    });
    const looking = first.tasks.tellOfEndpoints();
    await open.commit();
    await looking;
    expect(await told()).toHaveLength(1);
    expect((await told())[0].body).toContain('first');
  });

  it('is in the partner’s stream of events, and each has a place of its own', async () => {
    const endpoints = [await bench.subscribe(), await bench.subscribe()];
    for (const id of endpoints) {
      await fail(id, 1, GONE);
      await look();
    }
    await bench.publish(someEvent({ journeyId: 'jrn_later' }));
    const reader = new StreamReplica(bench);
    const ids = (await reader.readAll(null)).map(({ id }) => id);
    const written = await bench.database.query<{ id: string }>(
      'SELECT id FROM webhook_events ORDER BY id',
    );
    expect(ids).toEqual(written.map(({ id }) => id));
    const named = await reader.read(null, { names: [DISABLED] });
    const about = named.events.map((event) => JSON.stringify(event));
    expect(about).toHaveLength(2);
    for (const id of endpoints) expect(about.filter((body) => body.includes(id))).toHaveLength(1);
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

  it('is told of once a day, and not before', async () => {
    const alerted = await bench.subscribe({ events: [NEAR] });
    await key('key_below', 79);
    await key('key_near', 80);
    await key('key_suspended', 100, 'SUSPENDED');
    await look();
    const [alert, ...more] = await told();
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
    expect(await toldNames()).toEqual([NEAR]);
  });
});
