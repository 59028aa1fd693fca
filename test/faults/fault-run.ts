import type { Pool } from 'pg';
import { WebhookReceiver } from '../support/webhook-receiver.ts';
import { auditFindings } from './audit-findings.ts';
import { DrivenJourney } from './driven-journey.ts';
import { Killer, planKills } from './killer.ts';
import { Partner } from './partner.ts';
import { patientConfiguration } from './patient-configuration.ts';
import {
  callFigures,
  countOver,
  createReplicas,
  type FaultReport,
  leap,
  openPool,
  secondsSince,
  spread,
  stopReplicas,
  subscribe,
} from './run-parts.ts';
import type { CreateReplica } from './replica.ts';
import { SeededRandom } from './seeded-random.ts';
import { settle } from './settling.ts';
import { Verdict } from './verdict.ts';

export interface FaultRunOptions {
  /** Without rows; its tables may exist. */
  readonly databaseUrl: string;
  /** For how long processes are killed. */
  readonly seconds: number;
  readonly journeys: number;
  readonly seed: number;
  readonly replicas: number;
  /** The time is moved after this long without progress. */
  readonly stillMs?: number;
  /** SQL that corrupts the database before it is checked. */
  /** By default in their own processes; a replica that is killed must be a process. */
  readonly createReplica?: CreateReplica;
  readonly planted?: readonly string[];
  readonly audit?: (databaseUrl: string) => Promise<string[]>;
  readonly tell: (line: string) => void;
}

const STARTED_WITHIN = 0.85;
const SETTLE_MS = 150_000;
// Longer than every lease, so that leases of killed processes expire.
const LEAP_MS = 31_000;
const STILL_MS = 1_500;

/** Drives journeys against replicas that are killed at random, and checks the result. */
export async function runFaults(options: FaultRunOptions): Promise<FaultReport> {
  const {
    databaseUrl,
    seconds,
    seed,
    planted = [],
    audit = auditFindings,
    stillMs = STILL_MS,
    tell,
  } = options;
  const startedAt = performance.now();
  const stopping = new AbortController();
  const configuration = patientConfiguration();
  const env = { CONFIG_FILE: configuration.file };
  const replicas = await createReplicas(
    options.replicas,
    'replica ',
    databaseUrl,
    env,
    options.createReplica,
  );
  const receiver = await WebhookReceiver.start();
  const pool = openPool(databaseUrl);
  const partner = new Partner(replicas);
  const journeys = Array.from(
    { length: options.journeys },
    (_, index) => new DrivenJourney(partner, seed, index),
  );
  const over = () => `${countOver(journeys)} of ${journeys.length} journeys are over`;
  let driving = Promise.resolve();
  let leaps = 0;
  try {
    await Promise.all(replicas.map((replica) => replica.start()));
    const { secret } = await subscribe(partner, replicas[0], receiver.url());
    const plan = planKills(new SeededRandom(seed), seconds * 1_000, replicas.length);
    const moments = plan.map(({ atMs, victims }) => {
      return `${(atMs / 1_000).toFixed(1)}:${victims.map((victim) => victim + 1).join('+')}`;
    });
    tell(`seed ${seed}; kills at (seconds:replica) ${moments.join(' ')}`);
    const { signal } = stopping;
    const drive = (journey: DrivenJourney) => journey.drive(() => signal.aborted);
    driving = spread(journeys, seconds * 1_000 * STARTED_WITHIN, drive, signal);
    await new Killer(replicas, receiver, (replica) => partner.isCalling(replica)).carryOut(plan);
    tell(`the killing is over; ${over()}`);
    await settle({
      look: async () => {
        const { open, progress } = await standing(pool);
        return { isSettled: open === 0 && countOver(journeys) === journeys.length, progress };
      },
      leap: async () => {
        await leap(pool, LEAP_MS);
        leaps += 1;
      },
      withinMs: SETTLE_MS,
      stillMs,
      everyMs: 250,
    });
    stopping.abort();
    await driving;
    tell(`settled: ${over()}`);
    const findings = await stopReplicas(replicas);
    for (const sql of planted) await pool.query(sql);
    const verdict = new Verdict(pool);
    await verdict.onJourneys(journeys);
    await verdict.onWhatIsLeft();
    await verdict.onDeliveries(receiver.deliveries, secret);
    findings.push(...verdict.findings, ...(await audit(databaseUrl)), ...partner.failures);
    const { rows } = await pool.query<Record<string, number>>(FIGURES);
    const { outcomes } = partner;
    // A run without an interrupted call proves nothing.
    const figures = {
      seconds: secondsSince(startedAt),
      kills: replicas.reduce((sum, { kills }) => sum + kills, 0),
      ...callFigures(partner),
      callsLost: outcomes.get('LOST') ?? 0,
      callsRefused: outcomes.get('REFUSED') ?? 0,
      actionsAnswered: journeys.reduce((sum, { accepted }) => sum + accepted.length, 0),
      ...rows[0],
      leaps,
      posts: receiver.deliveries.length,
    };
    return { findings, figures };
  } finally {
    stopping.abort();
    await Promise.allSettled(replicas.map((replica) => replica.stop()));
    await driving.catch(() => undefined);
    await receiver.stop();
    await pool.end();
    configuration.remove();
  }
}

async function standing(pool: Pool): Promise<{ open: number; progress: string }> {
  const { rows } = await pool.query<{ open: number; progress: string }>(STANDING);
  return rows[0];
}

const STANDING = `
  SELECT (s.deliveries + s.answers)::int AS open, s::text AS progress
  FROM (
    SELECT
      (SELECT count(*) FROM webhook_deliveries WHERE status = 'PENDING') AS deliveries,
      (SELECT count(*) FROM lender_inbox WHERE consumed_at IS NULL) AS answers,
      (SELECT count(*) FROM lender_inbox) AS arrived,
      (SELECT count(*) FROM journey_audit) AS moves
  ) AS s
`;

const FIGURES = `
  SELECT
    (SELECT count(*) FROM journeys WHERE state = 'SANCTIONED')::int AS sanctioned,
    (SELECT count(*) FROM journey_intents WHERE status = 'COMPLETED')::int AS "actionsDone",
    (SELECT sum(lease_token) FROM journeys)::int - (SELECT count(*) FROM journey_intents)::int
      AS "actionsTakenOver",
    (SELECT count(*) FROM lender_inbox)::int AS answers,
    (SELECT count(*) FROM webhook_events)::int AS events,
    (SELECT sum(lease_token) FROM webhook_lanes)::int AS "lanesLeased"
`;
