import { setTimeout as sleep } from 'node:timers/promises';
import { FakeRazorpay, RAZORPAY_ACCOUNT } from '../../support/fake-razorpay.ts';
import { WebhookReceiver } from '../../support/webhook-receiver.ts';
import { patientConfiguration } from '../patient-configuration.ts';
import { type CreateReplica, type Replica, ReplicaProcess } from '../replica.ts';
import {
  createReplicas,
  type FaultReport,
  leap,
  openPool,
  secondsSince,
  stopReplicas,
  subscribe,
} from '../run-parts.ts';
import { SeededRandom } from '../seeded-random.ts';
import { settle } from '../settling.ts';
import { Verdict } from '../verdict.ts';
import { DatabaseCluster } from './cluster.ts';
import type { FailoverCluster, Loss } from './failover-cluster.ts';
import { FailoverVerdict } from './failover-verdict.ts';
import { Load } from './load.ts';
import type { Trial } from './trial.ts';

export interface FailoverOptions {
  readonly failovers: number;
  readonly journeys: number;
  readonly loans: number;
  readonly seed: number;
  readonly replicas: number;
  /** The time is moved after this long without progress. */
  readonly stillMs?: number;
  readonly tell: (line: string) => void;
  readonly setting?: FailoverSetting;
}

export interface FailoverSetting {
  readonly start: () => Promise<FailoverCluster>;
  readonly eachMs: number;
  /** What else is lost after the failovers, one after the other. */
  readonly trials: readonly Trial[];
  /** Creates the replicas for all failovers; by default in their own processes. */
  readonly createReplica?: CreateReplica;
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
const STILL_MS = 1_500;
/** The longest time from a new primary until the service answers again. */
const BACK_WITHIN_MS = 10_000;
const OF_THE_RUN = [
  'The database is unavailable',
  'The database accepts no writes',
  // Commits wait for a standby that is cut off, with their locks.
  'canceling statement due to lock timeout',
  // The sandbox's lenders store their data in the same database.
  'LenderUnavailable: no answer in time',
];
/** The flag of a lender that declines after a binding offer. */
const DECLINED_AFTER_PAYMENT = 'OFFER_NOT_KEPT';
/** The flag of a lender that answers after its deadline. */
const LATE_ANSWER = 'LATE_ANSWER';

/** Drives journeys and instant loans while one primary after another is lost, and checks the result. */
export async function runFailovers(options: FailoverOptions): Promise<FaultReport> {
  const { failovers, seed, setting = SHORT, stillMs = STILL_MS, tell } = options;
  const startedAt = performance.now();
  const cluster = await setting.start();
  const razorpay = await new FakeRazorpay().start();
  razorpay.refunds.startsAs = 'processed';
  const account = { ...RAZORPAY_ACCOUNT, apiBaseUrl: razorpay.url };
  const configuration = patientConfiguration({
    payment: { gateway: 'razorpay', razorpay: account },
  });
  const env = { ...cluster.variables, CONFIG_FILE: configuration.file };
  const replicas = await createReplicas(
    options.replicas,
    'replica ',
    cluster.url,
    env,
    setting.createReplica,
  );
  const receiver = await WebhookReceiver.start();
  const pool = openPool(cluster.url);
  const load = new Load(replicas, razorpay, options);
  const backAfterMs: number[] = [];
  const found: string[] = [];
  let leaps = 0;

  /** Waits until a replica has admitted a call, which writes to the database. */
  const untilServed = async (replica: Replica): Promise<void> => {
    const deadline = performance.now() + 3 * BACK_WITHIN_MS;
    while (performance.now() < deadline) {
      const outcome = await load.partner.call(replica, { method: 'GET', path: '/products' });
      if (outcome.kind === 'ANSWERED' && outcome.status === 200) return;
      await sleep(50);
    }
    throw new Error(`${replica.name} does not serve any more`);
  };
  /** @returns the milliseconds that it took */
  const untilAllServe = async (): Promise<number> => {
    const from = performance.now();
    await Promise.all(replicas.map(untilServed));
    return Math.round(performance.now() - from);
  };
  const failOver = async (loss: Loss): Promise<void> => {
    const lostAt = performance.now();
    await cluster.failOver(loss);
    const lostFor = Math.round(performance.now() - lostAt);
    const ms = await untilAllServe();
    backAfterMs.push(ms);
    const what = `${loss.toLowerCase()}; a new primary after ${lostFor} ms`;
    tell(`${what}, every replica serves ${ms} ms later`);
    await load.nonces.replay();
  };
  const tryOne = async ({ name, run }: Trial): Promise<void> => {
    tell(`${name}:`);
    await run({
      load,
      tell: (line) => tell(`  ${line}`),
      found: (finding) => found.push(`${name}: ${finding}`),
      failOver: async (loss) => {
        await failOver(loss);
        await cluster.addStandby();
      },
      untilServed: untilAllServe,
      addReplica: async (replicaName, more) => {
        const replica = await ReplicaProcess.create(replicaName, cluster.url, { ...env, ...more });
        await replica.start();
        replicas.push(replica);
        load.nonces.alsoAsk(replica);
      },
    });
  };
  const loseAll = async (trials: readonly Trial[]): Promise<void> => {
    const random = new SeededRandom(seed + 4);
    const first = random.below(2);
    for (let turn = 0; turn < failovers; turn += 1) {
      await sleep(random.between(CALM_MS / 3, CALM_MS));
      await failOver((turn + first) % 2 === 0 ? 'KILLED' : 'PARTITIONED');
      // After the last failover, only a trial loses something.
      if (turn + 1 < failovers || trials.length > 0) await cluster.addStandby();
    }
    for (const trial of trials) await tryOne(trial);
  };

  try {
    await Promise.all(replicas.map((replica) => replica.start()));
    const { secret } = await subscribe(load.partner, replicas[0], receiver.url());
    const { eachMs, trials } = setting;
    tell(`seed ${seed}; ${failovers} failovers`);
    const trialsMs = trials.reduce((sum, { takesMs }) => sum + takesMs, 0);
    load.start((failovers * eachMs + trialsMs) * STARTED_WITHIN);
    await loseAll(trials);
    tell(`nothing is lost any more; ${load.over} of ${load.begun} are over`);

    await load.stopProbing();
    const isSettled = await settle({
      look: async () => {
        const { rows } = await pool.query<{ open: number; progress: string }>(STANDING);
        const { open, progress } = rows[0];
        return { isSettled: open === 0 && load.over === load.begun, progress };
      },
      leap: async () => {
        await leap(pool, LEAP_MS);
        leaps += 1;
      },
      withinMs: SETTLE_MS,
      stillMs,
      everyMs: 250,
    });
    await load.stop();
    const { poller } = load;
    if (isSettled) await poller.readToTheEnd().catch((error: unknown) => found.push(String(error)));
    tell(`settled: ${load.over} of ${load.begun} are over`);

    found.push(...(await stopReplicas(replicas, OF_THE_RUN)));
    const verdict = new Verdict(pool);
    await verdict.onJourneys(load.journeys);
    await verdict.onWhatIsLeft([
      DECLINED_AFTER_PAYMENT,
      ...(load.hasTimeLept ? [LATE_ANSWER] : []),
    ]);
    await verdict.onDeliveries(receiver.deliveries, secret);
    const ours = new FailoverVerdict(pool);
    await ours.onStream(poller.events);
    await ours.onLoans(load.loans, razorpay);
    const findings = [...found, ...verdict.findings, ...ours.findings, ...load.findings()];
    for (const ms of backAfterMs) {
      if (ms > BACK_WITHIN_MS) findings.push(`the service was back ${ms} ms after the database`);
    }
    // A run without an interrupted call proves nothing.
    const figures = {
      seconds: secondsSince(startedAt),
      failovers: backAfterMs.length,
      backAfterMs: Math.max(0, ...backAfterMs),
      ...load.figures(),
      refunds: razorpay.refunds.made.length,
      posts: receiver.deliveries.length,
      leaps,
    };
    return { findings, figures };
  } finally {
    await Promise.allSettled(replicas.map((replica) => replica.stop()));
    await load.stop().catch(() => undefined);
    await receiver.stop();
    await razorpay.stop();
    await pool.end();
    await cluster.stop();
    configuration.remove();
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
