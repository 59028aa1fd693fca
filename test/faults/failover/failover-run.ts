import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { configurationWith, type TestConfiguration } from '../../support/configuration-with.ts';
import { FakeRazorpay, RAZORPAY_ACCOUNT } from '../../support/fake-razorpay.ts';
import { WebhookReceiver } from '../../support/webhook-receiver.ts';
import type { FaultReport } from '../fault-run.ts';
import { Replica } from '../replica.ts';
import { SeededRandom } from '../seeded-random.ts';
import { settle } from '../settling.ts';
import { Verdict } from '../verdict.ts';
import { DatabaseCluster } from './cluster.ts';
import type { FailoverCluster, Loss } from './failover-cluster.ts';
import { FailoverVerdict } from './failover-verdict.ts';
import { Load } from './load.ts';
import type { Stage, Trial } from './trial.ts';

export interface FailoverOptions {
  readonly failovers: number;
  readonly journeys: number;
  readonly loans: number;
  readonly seed: number;
  readonly replicas: number;
  readonly tell: (line: string) => void;
  readonly setting?: FailoverSetting;
}

export interface FailoverSetting {
  readonly start: () => Promise<FailoverCluster>;
  readonly eachMs: number;
  /** What else is lost when the failovers are over, one after the other. */
  readonly trials: readonly Trial[];
}

const CALM_MS = 1_500;
const STARTED_WITHIN = 0.8;
const SHORT: FailoverSetting = {
  start: () => DatabaseCluster.start(),
  eachMs: 5_000,
  trials: [],
};
const SETTLE_MS = 180_000;
const LEAP_MS = 31_000;
const STILL_MS = 2_500;
/** The service answers again so long after there is a new primary, at the latest. */
const BACK_WITHIN_MS = 10_000;
const OF_THE_RUN = [
  'The database is away',
  'The database takes no writes',
  // Commits wait for a standby that is cut off, with their locks.
  'canceling statement due to lock timeout',
  // The sandbox's lenders keep what they know in the same database.
  'LenderUnavailable: no answer in time',
];
/** The flag of a lender that declines after it had promised. */
const DECLINED_AFTER_PAYMENT = 'OFFER_NOT_KEPT';
/** The flag of a lender that answers after its deadline. */
const LATE_ANSWER = 'LATE_ANSWER';

/** Drives journeys and instant loans while one primary after the other is lost, and judges what is there at the end. */
export async function runFailovers(options: FailoverOptions): Promise<FaultReport> {
  const run = await FailoverRun.prepare(options);
  try {
    await run.underFire();
    await run.settle();
    return await run.judge();
  } finally {
    await run.end();
  }
}

class FailoverRun {
  private readonly options: FailoverOptions;
  private readonly cluster: FailoverCluster;
  private readonly setting: FailoverSetting;
  private readonly replicas: Replica[];
  private readonly receiver: WebhookReceiver;
  private readonly razorpay: FakeRazorpay;
  private readonly configuration: TestConfiguration;
  private readonly pool: Pool;
  private readonly load: Load;
  private readonly startedAt = performance.now();
  private readonly backAfterMs: number[] = [];
  private readonly findings: string[] = [];
  private leaps = 0;
  private secret = '';

  private constructor(
    options: FailoverOptions,
    cluster: FailoverCluster,
    replicas: Replica[],
    surroundings: {
      receiver: WebhookReceiver;
      razorpay: FakeRazorpay;
      configuration: TestConfiguration;
    },
  ) {
    this.options = options;
    this.setting = options.setting ?? SHORT;
    this.cluster = cluster;
    this.replicas = replicas;
    this.receiver = surroundings.receiver;
    this.razorpay = surroundings.razorpay;
    this.configuration = surroundings.configuration;
    this.pool = new Pool({ connectionString: cluster.url, max: 2 });
    // A server that is lost takes idle connections with it.
    this.pool.on('error', () => undefined);
    this.load = new Load(replicas, this.razorpay, options);
  }

  static async prepare(options: FailoverOptions): Promise<FailoverRun> {
    const cluster = await (options.setting ?? SHORT).start();
    const razorpay = await new FakeRazorpay().start();
    razorpay.refunds.startsAs = 'processed';
    const account = { ...RAZORPAY_ACCOUNT, apiBaseUrl: razorpay.url };
    const configuration = configurationWith({
      payment: { gateway: 'razorpay', razorpay: account },
    });
    const env = { ...cluster.variables, CONFIG_FILE: configuration.file };
    const names = Array.from({ length: options.replicas }, (_, index) => `replica ${index + 1}`);
    const replicas = await Promise.all(names.map((name) => Replica.create(name, cluster.url, env)));
    const receiver = await WebhookReceiver.start();
    const surroundings = { receiver, razorpay, configuration };
    const run = new FailoverRun(options, cluster, replicas, surroundings);
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
    const { failovers, seed, tell } = this.options;
    const { eachMs, trials } = this.setting;
    tell(`seed ${seed}; ${failovers} failovers`);
    const trialsMs = trials.reduce((sum, { takesMs }) => sum + takesMs, 0);
    this.load.start((failovers * eachMs + trialsMs) * STARTED_WITHIN);
    const random = new SeededRandom(seed + 4);
    const first = random.below(2);
    for (let turn = 0; turn < failovers; turn += 1) {
      await sleep(random.between(CALM_MS / 3, CALM_MS));
      await this.failOver((turn + first) % 2 === 0 ? 'KILLED' : 'PARTITIONED');
      // Nothing is lost after the last one but by a trial.
      if (turn + 1 < failovers || trials.length > 0) await this.cluster.addStandby();
    }
    for (const trial of trials) await this.try(trial);
    tell(`nothing is lost any more; ${this.load.over} of ${this.load.begun} are over`);
  }

  async settle(): Promise<void> {
    await this.load.stopProbing();
    const isSettled = await settle({
      look: () => this.standing(),
      leap: () => this.leap(),
      withinMs: SETTLE_MS,
      stillMs: STILL_MS,
      everyMs: 250,
    });
    await this.load.stop();
    const { poller } = this.load;
    if (isSettled) await poller.readToTheEnd().catch((error: unknown) => this.found(error));
    this.options.tell(`settled: ${this.load.over} of ${this.load.begun} are over`);
  }

  async judge(): Promise<FaultReport> {
    const stops = await Promise.allSettled(this.replicas.map((replica) => replica.stop()));
    const verdict = new Verdict(this.pool);
    const { findings } = verdict;
    findings.push(...this.findings);
    for (const stop of stops) {
      if (stop.status === 'rejected') findings.push(String(stop.reason));
    }
    await verdict.onJourneys(this.load.journeys);
    await verdict.onWhatIsLeft([
      DECLINED_AFTER_PAYMENT,
      ...(this.load.hasTimeLept ? [LATE_ANSWER] : []),
    ]);
    await verdict.onDeliveries(this.receiver.deliveries, this.secret);
    const ours = new FailoverVerdict(this.pool, findings);
    await ours.onStream(this.load.poller.events);
    await ours.onLoans(this.load.loans, this.razorpay);
    findings.push(...this.load.findings());
    for (const ms of this.backAfterMs) {
      if (ms > BACK_WITHIN_MS) findings.push(`the service was back ${ms} ms after the database`);
    }
    for (const { name, errors } of this.replicas) {
      const others = errors.filter((line) => !OF_THE_RUN.some((words) => line.includes(words)));
      for (const error of others) findings.push(`${name} logged ${error}`);
    }
    return { findings, figures: this.figures() };
  }

  async end(): Promise<void> {
    await Promise.allSettled(this.replicas.map((replica) => replica.stop()));
    await this.load.stop().catch(() => undefined);
    await this.receiver.stop();
    await this.razorpay.stop();
    await this.pool.end();
    await this.cluster.stop();
    this.configuration.remove();
  }

  private async try({ name, run }: Trial): Promise<void> {
    const { tell } = this.options;
    tell(`${name}:`);
    const stage: Stage = {
      load: this.load,
      tell: (line) => tell(`  ${line}`),
      found: (finding) => this.findings.push(`${name}: ${finding}`),
      failOver: async (loss) => {
        await this.failOver(loss);
        await this.cluster.addStandby();
      },
      untilServed: () => this.untilAllServe(),
      addReplica: (replicaName, env) => this.addReplica(replicaName, env),
    };
    await run(stage);
  }

  private async addReplica(name: string, env: Readonly<Record<string, string>>): Promise<void> {
    const { file } = this.configuration;
    const all = { ...this.cluster.variables, CONFIG_FILE: file, ...env };
    const replica = await Replica.create(name, this.cluster.url, all);
    await replica.start();
    this.replicas.push(replica);
    this.load.nonces.alsoAsk(replica);
  }

  private async failOver(loss: Loss): Promise<void> {
    const lostAt = performance.now();
    await this.cluster.failOver(loss);
    const lostFor = Math.round(performance.now() - lostAt);
    const ms = await this.untilAllServe();
    this.backAfterMs.push(ms);
    const { tell } = this.options;
    tell(
      `${loss.toLowerCase()}; a new primary after ${lostFor} ms, every replica serves ${ms} ms later`,
    );
    await this.load.nonces.replay();
  }

  private async untilAllServe(): Promise<number> {
    const from = performance.now();
    await Promise.all(this.replicas.map((replica) => this.untilServed(replica)));
    return Math.round(performance.now() - from);
  }

  private async untilServed(replica: Replica): Promise<void> {
    const deadline = performance.now() + 3 * BACK_WITHIN_MS;
    const call = { method: 'GET', path: '/products' } as const;
    while (performance.now() < deadline) {
      const outcome = await this.load.partner.call(replica, call);
      if (outcome.kind === 'ANSWERED' && outcome.status === 200) return;
      await sleep(50);
    }
    throw new Error(`${replica.name} does not serve any more`);
  }

  private async subscribe(): Promise<void> {
    const body = { url: this.receiver.url() };
    const call = { method: 'POST', path: '/webhooks', body } as const;
    const outcome = await this.load.partner.call(this.replicas[0], call);
    if (outcome.kind !== 'ANSWERED' || outcome.status !== 200) {
      throw new Error(`the subscription failed: ${JSON.stringify(outcome)}`);
    }
    this.secret = outcome.json.data.secret as string;
  }

  private found(error: unknown): void {
    this.findings.push(error instanceof Error ? error.message : String(error));
  }

  private async leap(): Promise<void> {
    await this.pool.query('UPDATE sandbox_clock SET offset_ms = offset_ms + $1', [LEAP_MS]);
    this.leaps += 1;
  }

  private async standing(): Promise<{ isSettled: boolean; progress: string }> {
    const { rows } = await this.pool.query<{ open: number; progress: string }>(STANDING);
    const { open, progress } = rows[0];
    return { isSettled: open === 0 && this.load.over === this.load.begun, progress };
  }

  private figures(): Record<string, number> {
    return {
      seconds: Math.round((performance.now() - this.startedAt) / 1_000),
      failovers: this.backAfterMs.length,
      backAfterMs: Math.max(0, ...this.backAfterMs),
      ...this.load.figures(),
      refunds: this.razorpay.refunds.made.length,
      posts: this.receiver.deliveries.length,
      leaps: this.leaps,
    };
  }
}

const STANDING = `
  SELECT (s.deliveries + s.answers + s.loans + s.payments + s.refunds)::int AS open, s::text AS progress
  FROM (
    SELECT
      (SELECT count(*) FROM webhook_deliveries WHERE status = 'PENDING') AS deliveries,
      (SELECT count(*) FROM lender_inbox WHERE consumed_at IS NULL) AS answers,
      (SELECT count(*) FROM instant_loans l JOIN journeys j ON j.id = l.journey_id
        WHERE j.state NOT IN ('SANCTIONED', 'REJECTED')) AS loans,
      (SELECT count(*) FROM payments WHERE unsettled_at IS NOT NULL) AS payments,
      (SELECT count(*) FROM payment_refunds WHERE status <> 'DONE') AS refunds,
      (SELECT count(*) FROM lender_inbox) AS arrived,
      (SELECT count(*) FROM journey_audit) AS moves
  ) AS s
`;
