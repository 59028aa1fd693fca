import { setTimeout as sleep } from 'node:timers/promises';
import { DrivenJourney } from '../driven-journey.ts';
import { Partner } from '../partner.ts';
import {
  countOver,
  createReplicas,
  type FaultReport,
  openPool,
  secondsSince,
  spread,
  stopReplicas,
  subscribe,
} from '../run-parts.ts';
import { SeededRandom } from '../seeded-random.ts';
import { settle } from '../settling.ts';
import { type EndpointName, ENDPOINTS, Endpoints } from './endpoints.ts';
import { KillPoints } from './kill-points.ts';
import { Poller } from './poller.ts';
import { Publisher } from './publisher.ts';
import { TimeLeaps } from './time-leaps.ts';
import { WebhookVerdict } from './webhook-verdict.ts';

export interface WebhookFaultOptions {
  /** Without rows; its tables may exist. */
  readonly databaseUrl: string;
  readonly seconds: number;
  /** Of made-up journeys. */
  readonly events: number;
  /** Driven over HTTP. */
  readonly journeys: number;
  readonly seed: number;
  readonly senders: number;
  /** Where senders are killed, of `KILL_POINTS`. */
  readonly points: readonly string[];
  /** Whether PostgreSQL belongs to the run, and may be crashed. */
  readonly crashes: boolean;
  /** An endpoint that never answers hangs up after this; with null, the sender gives up. */
  readonly hangsForMs: number | null;
  /** The time is moved after this long without progress. */
  readonly stillMs?: number;
  readonly tell: (line: string) => void;
}

/** Its subscription is deleted half way. */
const DELETED = 'deleted';
/** Gets every event, and is the fastest. */
const COMPARED = 'healthy' satisfies EndpointName;
const SETTLE_MS = 240_000;
// Longer than every lease; once all receivers are healed, longer than the breaker's longest pause.
const LEAP_MS = 31_000;
const LEAP_WHEN_HEALED_MS = 601_000;
const STILL_MS = 1_200;
/** The run itself causes these: it crashes the server, and locks whole tables. */
const OF_THE_RUN = ['The database is unavailable', 'canceling statement due to lock timeout'];
/** Logged if a busy machine keeps the sender's thread waiting; more than `MAX_TOO_LATE` means a fault. */
const TOO_LATE = 'too late to be sent';
const MAX_TOO_LATE = 100;
/** Twice a minute the clean-up finds retries that are overdue by half a minute. */
const DRAINED_WITHIN_MS = 75_000;
const PUBLISHED_WITHIN = 0.9;
/** A run of this length must hit every point. */
const LONG_SECONDS = 60;

/**
 * Drives journeys and publishes events to receivers of every kind while senders are killed and the database is lost.
 * Then it heals everything, and checks each event of each subscription.
 */
export async function runWebhookFaults(options: WebhookFaultOptions): Promise<FaultReport> {
  const { databaseUrl, seconds, seed, points, stillMs = STILL_MS, tell } = options;
  const startedAt = performance.now();
  const forMs = seconds * 1_000;
  const stopping = new AbortController();
  const { signal } = stopping;
  const replicas = await createReplicas(options.senders, 'sender-', databaseUrl);
  const endpoints = await Endpoints.start(new SeededRandom(seed), options.hangsForMs);
  const pool = openPool(databaseUrl);
  const partner = new Partner(replicas);
  // Their calls succeed, whichever sender is killed.
  const applicants = new Partner(replicas);
  const journeys = Array.from(
    { length: options.journeys },
    (_, index) => new DrivenJourney(applicants, seed, index),
  );
  const isInFlight = () => endpoints.openNow > 0;
  const kills = new KillPoints(databaseUrl, replicas, new SeededRandom(seed + 1), isInFlight);
  const leaps = new TimeLeaps(pool, isInFlight);
  const poller = new Poller(partner, new SeededRandom(seed + 3));
  const subscriptions = new Map<string, string>();
  let publisher: Publisher | undefined;
  let driving: Promise<unknown> = Promise.resolve();

  const one = async <Row extends object>(sql: string, ...values: unknown[]): Promise<Row> =>
    (await pool.query<Row>(sql, values)).rows[0];
  const isAnyUndrained = async () => (await one<{ is: boolean }>(UNDRAINED)).is;
  /** Returns the status, or 0 without a response. */
  const call = async (method: 'POST' | 'DELETE', path: string): Promise<number> => {
    const up = replicas.find(({ isUp }) => isUp) ?? replicas[0];
    const outcome = await partner.call(up, { method, path });
    if (outcome.kind !== 'ANSWERED') return 0;
    // The response to the first try was lost: the subscription is deleted.
    return method === 'DELETE' && outcome.status === 404 ? 200 : outcome.status;
  };
  const deleteOne = async () => {
    while ((await call('DELETE', `/webhooks/${subscriptions.get(DELETED)}`)) !== 200) {
      await sleep(200);
    }
  };
  const untilOpenOnlyAt = async (broken: readonly string[]) => {
    const isSettled = await settle({
      look: async () => {
        const { open, progress } = await one<{ open: number; progress: string }>(OPEN, broken);
        return { isSettled: open === 0 && countOver(journeys) === journeys.length, progress };
      },
      leap: () => leaps.leap(endpoints.isHealed ? LEAP_WHEN_HEALED_MS : LEAP_MS),
      withinMs: SETTLE_MS,
      stillMs,
      everyMs: 100,
    });
    if (!isSettled) tell('it did not settle in time');
  };

  try {
    await Promise.all(replicas.map((replica) => replica.start()));
    for (const name of [...Object.keys(ENDPOINTS), DELETED]) {
      const { subscriptionId } = await subscribe(partner, replicas[0], endpoints.url(name));
      subscriptions.set(name, subscriptionId);
    }
    publisher = await Publisher.connect(databaseUrl, new SeededRandom(seed + 2));
    tell(`seed ${seed}; ${options.events} events, ${journeys.length} journeys, ${seconds} s`);
    const drive = (journey: DrivenJourney) => journey.drive(() => signal.aborted);
    driving = Promise.all([
      spread(journeys, forMs * PUBLISHED_WITHIN, drive, signal),
      poller.run(signal),
    ]);
    driving.catch(() => undefined);
    await Promise.all([
      publisher.publish(options.events, forMs * PUBLISHED_WITHIN),
      kills.carryOut(points, forMs, options.crashes),
      sleep(forMs / 2).then(deleteOne),
    ]);
    tell(`the killing is over: ${[...kills.hits].map((hit) => hit.join(' ')).join(', ')}`);

    // First the receivers keep their faults; then all of them are healed.
    await untilOpenOnlyAt(['dead', 'hanging', 'gone']);
    const { parked } = await one<{ parked: number }>(PARKED);
    tell(`only what is broken is still open; ${parked} deliveries are parked`);
    endpoints.isHealed = true;
    const enabled = await call('POST', `/webhooks/${subscriptions.get('gone')}/enable`);
    if (enabled !== 200) throw new Error(`enabling was answered ${enabled}`);
    await untilOpenOnlyAt([]);
    // If the replica that should make retries due was killed, another one has done it by then.
    const drainedBy = performance.now() + DRAINED_WITHIN_MS;
    while (performance.now() < drainedBy && (await isAnyUndrained())) await sleep(500);
    stopping.abort();
    await driving;
    await poller.readToTheEnd();
    tell('everything is finished');

    const findings = await stopReplicas(replicas, [...OF_THE_RUN, TOO_LATE]);
    const verdict = new WebhookVerdict(pool, endpoints);
    await verdict.pass(DELETED);
    verdict.onStream(poller.events, COMPARED);
    await verdict.onAlerts(poller.alerts);
    findings.push(...verdict.findings, ...applicants.failures);
    const left = journeys.length - countOver(journeys);
    if (left > 0) findings.push(`${left} journeys never came to their end`);
    const lines = replicas.flatMap(({ errors }) => errors);
    const tooLate = lines.filter((line) => line.includes(TOO_LATE)).length;
    if (tooLate > MAX_TOO_LATE) findings.push(`${tooLate} posts were ${TOO_LATE}`);
    if (await isAnyUndrained()) findings.push('retries were left to be made due');
    if (parked === 0) findings.push('nothing was parked, which proves nothing');
    if (seconds >= LONG_SECONDS) {
      const missed = points.filter((point) => !kills.hits.has(point));
      findings.push(...missed.map((point) => `no sender was hit ${point}`));
    }
    const figures = {
      seconds: secondsSince(startedAt),
      kills: replicas.reduce((sum, { kills: count }) => sum + count, 0),
      ...Object.fromEntries(kills.hits),
      ...(await one<Record<string, number>>(FIGURES)),
      journeysOver: countOver(journeys),
      rolledBack: publisher.rolledBack,
      parked,
      polled: poller.events.length,
      posts: verdict.posts,
      duplicates: verdict.duplicates,
      tooLate,
      leaps: leaps.count,
    };
    return { findings, figures };
  } finally {
    stopping.abort();
    await Promise.allSettled(replicas.map((replica) => replica.stop()));
    await driving.catch(() => undefined);
    await publisher?.close().catch(() => undefined);
    await endpoints.stop();
    await pool.end();
  }
}

const OPEN = `
  SELECT count(*) FILTER (WHERE NOT (substring(s.url from '[a-z]+$') = ANY ($1)))::int AS open,
    concat_ws(' ', count(*), sum(q.attempts), (SELECT count(*) FROM journey_audit)) AS progress
  FROM webhook_queue q JOIN webhook_subscriptions s ON s.id = q.subscription_id
`;

const UNDRAINED = `
  SELECT EXISTS (SELECT FROM webhook_lanes
    WHERE drain_since IS NOT NULL AND is_active AND probe_at IS NULL) AS "is"
`;

const PARKED = `
  SELECT count(*)::int AS parked FROM webhook_queue q
  JOIN webhook_lanes l ON l.subscription_id = q.subscription_id WHERE NOT l.is_active
`;

const FIGURES = `
  SELECT (SELECT count(*) FROM webhook_events WHERE journey_id IS NOT NULL)::int AS events,
    (SELECT count(*) FROM webhook_events WHERE journey_id IS NULL)::int AS alerts,
    (SELECT count(*) FROM webhook_deliveries)::int AS deliveries,
    (SELECT count(*) FROM webhook_deliveries WHERE status = 'CANCELLED')::int AS cancelled,
    (SELECT sum(lease_token) FROM webhook_lanes)::int AS "lanesTaken"
`;
