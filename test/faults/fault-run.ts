import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { WebhookReceiver } from '../support/webhook-receiver.ts';
import { DrivenJourney } from './driven-journey.ts';
import { Killer, planKills } from './killer.ts';
import { Partner } from './partner.ts';
import { Replica } from './replica.ts';
import { SeededRandom } from './seeded-random.ts';
import { settle } from './settling.ts';
import { auditFindings } from './audit-findings.ts';
import { Verdict } from './verdict.ts';

export interface FaultRunOptions {
  readonly databaseUrl: string;
  readonly seconds: number;
  readonly journeys: number;
  readonly seed: number;
  readonly replicas: number;
  readonly tell: (line: string) => void;
}

export interface FaultReport {
  readonly findings: readonly string[];
  readonly figures: Readonly<Record<string, number>>;
}

const STARTED_WITHIN = 0.85;
const SETTLE_MS = 150_000;
// Longer than every lease, so that what the dead have held is free.
const LEAP_MS = 31_000;
const STILL_MS = 2_500;

/** Drives journeys against replicas that are killed at random, and judges what is there at the end. */
export async function runFaults(options: FaultRunOptions): Promise<FaultReport> {
  const run = await FaultRun.prepare(options);
  try {
    await run.underFire();
    await run.settle();
    return await run.judge();
  } finally {
    await run.end();
  }
}

class FaultRun {
  private readonly options: FaultRunOptions;
  private readonly replicas: readonly Replica[];
  private readonly receiver: WebhookReceiver;
  private readonly pool: Pool;
  private readonly partner: Partner;
  private readonly journeys: readonly DrivenJourney[];
  private readonly startedAt = performance.now();
  private driving: Promise<void> = Promise.resolve();
  private isStopped = false;
  private leaps = 0;
  private secret = '';

  private constructor(
    options: FaultRunOptions,
    replicas: readonly Replica[],
    receiver: WebhookReceiver,
  ) {
    this.options = options;
    this.replicas = replicas;
    this.receiver = receiver;
    this.pool = new Pool({ connectionString: options.databaseUrl, max: 2 });
    // A server that stops ends the connections, which says nothing of the run.
    this.pool.on('error', () => undefined);
    this.partner = new Partner(replicas);
    this.journeys = Array.from(
      { length: options.journeys },
      (_, index) => new DrivenJourney(this.partner, options.seed, index),
    );
  }

  static async prepare(options: FaultRunOptions): Promise<FaultRun> {
    const names = Array.from({ length: options.replicas }, (_, index) => `replica ${index + 1}`);
    const replicas = await Promise.all(
      names.map((name) => Replica.create(name, options.databaseUrl)),
    );
    const run = new FaultRun(options, replicas, await WebhookReceiver.start());
    try {
      await Promise.all(replicas.map((replica) => replica.start()));
      await run.subscribe();
      return run;
    } catch (error) {
      await run.end();
      throw error;
    }
  }

  async underFire(): Promise<void> {
    const { seconds, seed, tell } = this.options;
    const plan = planKills(new SeededRandom(seed), seconds * 1_000, this.replicas.length);
    const moments = plan.map(({ atMs, victims }) => {
      return `${(atMs / 1_000).toFixed(1)}:${victims.map((victim) => victim + 1).join('+')}`;
    });
    tell(`seed ${seed}; kills at (seconds:replica) ${moments.join(' ')}`);
    const gapMs = (seconds * 1_000 * STARTED_WITHIN) / this.journeys.length;
    this.driving = Promise.all(
      this.journeys.map(async (journey, index) => {
        await sleep(gapMs * index);
        await journey.drive(() => this.isStopped);
      }),
    ).then(() => undefined);
    const isCalled = (replica: Replica) => this.partner.isCalling(replica);
    await new Killer(this.replicas, this.receiver, isCalled).carryOut(plan);
    tell(`the killing is over; ${this.over()} of ${this.journeys.length} journeys are, too`);
  }

  async settle(): Promise<void> {
    await settle({
      look: () => this.standing(),
      leap: () => this.leap(),
      withinMs: SETTLE_MS,
      stillMs: STILL_MS,
      everyMs: 250,
    });
    this.isStopped = true;
    await this.driving;
    this.options.tell(`settled: ${this.over()} of ${this.journeys.length} journeys are over`);
  }

  async judge(): Promise<FaultReport> {
    // What they wrote before they were told to stop counts, too.
    const stops = await Promise.allSettled(this.replicas.map((replica) => replica.stop()));
    const verdict = new Verdict(this.pool);
    for (const stop of stops) {
      if (stop.status === 'rejected') verdict.findings.push(String(stop.reason));
    }
    await verdict.onJourneys(this.journeys);
    await verdict.onWhatIsLeft();
    await verdict.onDeliveries(this.receiver.deliveries, this.secret);
    verdict.findings.push(...(await auditFindings(this.options.databaseUrl)));
    verdict.findings.push(...this.partner.failures);
    for (const { name, errors } of this.replicas) {
      for (const error of errors) verdict.findings.push(`${name} logged ${error}`);
    }
    return { findings: verdict.findings, figures: await this.figures() };
  }

  async end(): Promise<void> {
    this.isStopped = true;
    await Promise.allSettled(this.replicas.map((replica) => replica.stop()));
    await this.driving.catch(() => undefined);
    await this.receiver.stop();
    await this.pool.end();
  }

  private async subscribe(): Promise<void> {
    const outcome = await this.partner.call(this.replicas[0], {
      method: 'POST',
      path: '/webhooks',
      body: { url: this.receiver.url() },
    });
    if (outcome.kind !== 'ANSWERED' || outcome.status !== 200) {
      throw new Error(`the subscription failed: ${JSON.stringify(outcome)}`);
    }
    this.secret = outcome.json.data.secret as string;
  }

  private over(): number {
    return this.journeys.filter(({ isOver }) => isOver).length;
  }

  private async leap(): Promise<void> {
    await this.pool.query('UPDATE sandbox_clock SET offset_ms = offset_ms + $1', [LEAP_MS]);
    this.leaps += 1;
  }

  private async standing(): Promise<{ isSettled: boolean; progress: string }> {
    const { rows } = await this.pool.query<{ open: number; progress: string }>(STANDING);
    const { open, progress } = rows[0];
    return { isSettled: open === 0 && this.over() === this.journeys.length, progress };
  }

  private async figures(): Promise<Record<string, number>> {
    const { rows } = await this.pool.query<Record<string, number>>(FIGURES);
    const { outcomes } = this.partner;
    const calls = [...outcomes.values()].reduce((sum, count) => sum + count, 0);
    return {
      seconds: Math.round((performance.now() - this.startedAt) / 1_000),
      kills: this.replicas.reduce((sum, { kills }) => sum + kills, 0),
      calls,
      callsAnswered: calls - (outcomes.get('LOST') ?? 0) - (outcomes.get('REFUSED') ?? 0),
      callsLost: outcomes.get('LOST') ?? 0,
      callsRefused: outcomes.get('REFUSED') ?? 0,
      conflicts: outcomes.get('409') ?? 0,
      unavailable: outcomes.get('503') ?? 0,
      actionsAnswered: this.journeys.reduce((sum, { accepted }) => sum + accepted.length, 0),
      ...rows[0],
      leaps: this.leaps,
      posts: this.receiver.deliveries.length,
    };
  }
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
    (SELECT count(*) FROM lender_questions WHERE lease_token > 0)::int AS "questionsAsked",
    (SELECT count(*) FROM lender_inbox)::int AS answers,
    (SELECT count(*) FROM webhook_events)::int AS events,
    (SELECT sum(lease_token) FROM webhook_lanes)::int AS "lanesLeased"
`;
