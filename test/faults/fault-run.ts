import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NeededProcess, ROOT } from '../support/needed-process.ts';
import { JourneyVerdict, LEFT } from './journey-verdict.ts';
import { MASTER_KEY } from './replica.ts';
import {
  callFigures,
  countOver,
  type FaultReport,
  secondsSince,
  settle,
  spread,
  stopReplicas,
} from './run-parts.ts';
import { openStage, type Stage, type StageOptions } from './stage.ts';
import { WebhookVerdict } from './webhook-verdict.ts';

export interface RunOptions extends StageOptions {
  /** The period over which journeys and loans start. */
  readonly seconds: number;
  /** Milliseconds without progress after which time is moved; `Infinity`: not while a journey goes on. */
  readonly stillMs?: number;
  /** SQL that corrupts the database before the verdict. */
  readonly planted?: readonly string[];
  readonly tell: (line: string) => void;
}

/** The faults during the journeys and loans. */
export interface Trouble {
  carryOut(stage: Stage): Promise<void>;
  findings?(): readonly string[];
  figures?(): Readonly<Record<string, number>>;
}

const SETTLE_MS = 900_000;
/** Longer than every lease. When all journeys are over, longer than the breaker's longest wait. */
const LEAP_MS = 31_000;
const LEAP_WHEN_OVER_MS = 601_000;
const STILL_MS = 1_500;
/** Twice a minute the upkeep handles what has been undrained for half a minute. */
const DRAINED_WITHIN_MS = 75_000;
/** These endpoints do not recover before `isHealed`. */
const BROKEN = ['dead', 'hanging', 'gone'];
/** Its subscription is deleted in the middle of the run. */
export const DELETED = 'deleted';
const OF_THE_RUN = [
  // Logged for each 503 that a lender causes.
  'The lender cannot be reached',
  'The database is unavailable',
  'The database accepts no writes',
  'canceling statement due to lock timeout',
  // A busy machine keeps the sender's thread waiting.
  'too late to be sent',
];

/** Runs journeys and loans under faults, then heals everything and checks the result. */
export async function runFaults(options: RunOptions, trouble: Trouble): Promise<FaultReport> {
  const { databaseUrl, seconds, seed, stillMs = STILL_MS, tell } = options;
  const startedAt = performance.now();
  await using ending = new AsyncDisposableStack();
  const stage = await openStage(options, ending);
  const { endpoints, razorpay, lenders, pool, replicas, partner, poller, journeys, loans } = stage;
  const all = [...journeys, ...loans];
  const stopping = new AbortController();
  const { signal } = stopping;
  const over = () => `${countOver(all)} of ${all.length} journeys are over`;
  const one = async <Row extends object>(sql: string, ...values: unknown[]): Promise<Row> =>
    (await pool.query<Row>(sql, values)).rows[0];
  const isAnyUndrained = async () => (await one<{ is: boolean }>(UNDRAINED)).is;
  /** @param besides endpoints whose deliveries may be incomplete */
  const untilSettled = async (what: string, besides: readonly string[]) => {
    const isSettled = await settle({
      look: async () => {
        const { open, progress } = await one<{ open: number; progress: string }>(OPEN, besides);
        if (countOver(all) < all.length) return { isSettled: false, progress };
        await lenders.takeFaultsBack();
        const { messages } = await lenders.books();
        const isTold = messages.every(({ endedAt }) => endedAt !== null);
        return { isSettled: open === 0 && isTold, progress };
      },
      leap: () => stage.leap(countOver(all) < all.length ? LEAP_MS : LEAP_WHEN_OVER_MS),
      withinMs: SETTLE_MS,
      stillMs: () => (countOver(all) < all.length ? stillMs : Math.min(stillMs, STILL_MS)),
    });
    tell(`${secondsSince(startedAt)} s: ${isSettled ? '' : 'NOT '}${what}; ${over()}`);
  };

  await Promise.all(replicas.map((replica) => replica.start()));
  const subscriptions = new Map<string, string>();
  for (const name of options.endpoints) subscriptions.set(name, await stage.subscribe(name));
  const call = async (method: 'POST' | 'DELETE', path: string): Promise<unknown> => {
    const up = replicas.find(({ isUp }) => isUp) ?? replicas[0];
    return (await partner.call(up, { method, path, alsoUsual: 404 })).status;
  };
  const deleteOne = async () => {
    await sleep(seconds * 500);
    const path = `/webhooks/${subscriptions.get(DELETED)}`;
    // 404: an earlier try deleted it, and its response was lost.
    while (![200, 404].includes(Number(await call('DELETE', path)))) await sleep(200);
  };
  tell(`seed ${seed}; ${journeys.length} journeys, ${loans.length} loans, ${seconds} s`);
  const driving = Promise.all([
    spread(all, seconds * 1_000, (each) => each.drive(() => signal.aborted), signal),
    poller.run(signal),
  ]);
  driving.catch(() => undefined);
  ending.defer(async () => {
    stopping.abort();
    await driving.catch(() => undefined);
  });
  await Promise.all([
    trouble.carryOut(stage),
    sleep(seconds * 1_000),
    subscriptions.has(DELETED) && deleteOne(),
  ]);
  tell(`${secondsSince(startedAt)} s: the trouble is over; ${over()}`);
  // First with the broken receivers, then with healed ones.
  await untilSettled('settled', BROKEN);
  const { parked } = await one<{ parked: number }>(PARKED);
  endpoints.isHealed = true;
  const gone = subscriptions.get('gone');
  if (gone) await call('POST', `/webhooks/${gone}/enable`);
  await untilSettled('healed', []);
  // If the replica that drains a lane was killed, another one does it within this time.
  const drainedBy = performance.now() + DRAINED_WITHIN_MS;
  while (performance.now() < drainedBy && (await isAnyUndrained())) await sleep(500);
  stopping.abort();
  await driving;
  const findings: string[] = [];
  await poller.readToTheEnd().catch((error: unknown) => findings.push(String(error)));
  if (await isAnyUndrained()) findings.push('retries were left to be made due');
  if (countOver(all) < all.length) findings.push(`only ${over()}`);
  if (gone && parked === 0) findings.push('nothing was parked, which proves nothing');

  findings.push(...(await stopReplicas(replicas, OF_THE_RUN)));
  // A stopping replica still finishes its calls to lenders.
  const books = await lenders.books();
  for (const sql of options.planted ?? []) await pool.query(sql);
  const verdict = new JourneyVerdict(pool, books, razorpay);
  const rows = await verdict.onJourneys(all.map(({ id }) => id));
  verdict.onChoices(journeys, rows);
  await verdict.onWhatIsLeft();
  const ofEvents = new WebhookVerdict(pool, endpoints);
  await ofEvents.onDeliveries(DELETED);
  await ofEvents.onStream(poller);
  await ofEvents.onAlerts(poller);
  findings.push(...verdict.findings, ...ofEvents.findings, ...partner.failures);
  findings.push(...(await auditFindings(databaseUrl)));
  findings.push(...(trouble.findings?.() ?? []));
  const ended = (state: string) => rows.filter((row) => row.state === state).length;
  // A run in which nothing was hit proves nothing.
  const figures = {
    seconds: secondsSince(startedAt),
    journeys: rows.length,
    sanctioned: ended('SANCTIONED'),
    rejected: ended('REJECTED'),
    feesPaid: rows.filter(({ fee }) => fee !== null).length,
    refunds: razorpay.refunds.made.length,
    ...callFigures(partner),
    kills: replicas.reduce((sum, { kills }) => sum + kills, 0),
    askedMoreThanOnce: books.questions.filter(({ timesAsked }) => timesAsked > 1).length,
    toldMoreThanOnce: books.messages.filter(({ attempts }) => attempts > 1).length,
    events: poller.events.length,
    alerts: poller.alerts.length,
    posts: endpoints.received,
    duplicates: ofEvents.duplicates,
    parked,
    ...trouble.figures?.(),
  };
  return { findings, figures };
}

/** The output of `admin audit verify`; empty when the audit matches the current rows. */
async function auditFindings(databaseUrl: string): Promise<string[]> {
  const command = [join(ROOT, 'dist/bundle/admin-main.js'), 'audit', 'verify'];
  const audit = new NeededProcess('The audit', command, { DATABASE_URL: databaseUrl, MASTER_KEY });
  const code = await audit.ended;
  return code === 0 ? [] : [`audit verify ended with ${code}: ${audit.output}`];
}

const OPEN = `
  SELECT (left_open.count + queue.open)::int AS open,
    concat_ws(' ', left_open.count, queue.count, queue.attempts,
      (SELECT count(*) FROM journey_audit), (SELECT count(*) FROM lender_inbox)) AS progress
  FROM (SELECT sum(l.count) AS count FROM (${LEFT}) AS l) AS left_open,
    (SELECT count(*), sum(q.attempts) AS attempts,
       count(*) FILTER (WHERE NOT (substring(s.url from '[a-z]+$') = ANY ($1))) AS open
     FROM webhook_queue q JOIN webhook_subscriptions s ON s.id = q.subscription_id) AS queue
`;

const UNDRAINED = `
  SELECT EXISTS (SELECT FROM webhook_lanes
    WHERE drain_since IS NOT NULL AND is_active AND probe_at IS NULL) AS "is"
`;

const PARKED = `
  SELECT count(*)::int AS parked FROM webhook_queue q
  JOIN webhook_lanes l ON l.subscription_id = q.subscription_id WHERE NOT l.is_active
`;
