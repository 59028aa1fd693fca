import { setTimeout as sleep } from 'node:timers/promises';
import { sandboxCredentials } from '../../support/sandbox-credentials.ts';
import { runFaults, type RunOptions, type Trouble } from '../fault-run.ts';
import type { Replica } from '../replica.ts';
import type { FaultReport } from '../run-parts.ts';
import { SeededRandom } from '../seeded-random.ts';
import type { Stage } from '../stage.ts';
import { AdmissionProbe } from './admission-probe.ts';
import { DatabaseCluster } from './cluster.ts';

/** `KILLED`: with all its processes. `PARTITIONED`: cut off from its standby, while clients still call it. */
export type Loss = 'KILLED' | 'PARTITIONED';

export interface FailoverCluster {
  readonly url: string;
  readonly variables: Readonly<Record<string, string>>;
  failOver(loss: Loss): Promise<void>;
  addStandby(): Promise<void>;
  stop(): Promise<void>;
}

/** Another loss, after the failovers. */
export interface Trial {
  readonly name: string;
  readonly takesMs: number;
  readonly run: (failovers: Failovers) => Promise<void>;
}

export interface FailoverOptions extends Omit<RunOptions, 'databaseUrl' | 'env' | 'seconds'> {
  readonly failovers: number;
  readonly start?: () => Promise<FailoverCluster>;
  readonly eachMs?: number;
  readonly trials?: readonly Trial[];
}

const CALM_MS = 1_500;
const EACH_MS = 5_000;
/** The service must respond within this time of the new primary. */
const BACK_WITHIN_MS = 10_000;
const MINUTE_LIMIT = 120;

/** Runs journeys and loans while one primary after the other fails. */
export async function runFailovers(options: FailoverOptions): Promise<FaultReport> {
  const {
    failovers,
    start = () => DatabaseCluster.start(),
    eachMs = EACH_MS,
    trials = [],
  } = options;
  const cluster = await start();
  const takesMs = failovers * eachMs + trials.reduce((sum, trial) => sum + trial.takesMs, 0);
  const run = { ...options, databaseUrl: cluster.url, env: cluster.variables };
  try {
    return await runFaults({ ...run, seconds: takesMs / 1_000 }, new Failovers(cluster, options));
  } finally {
    await cluster.stop();
  }
}

/** Loses primaries one after the other, and checks that rate limits and nonces hold. */
export class Failovers implements Trouble {
  nonces!: AdmissionProbe;
  readonly #cluster: FailoverCluster;
  readonly #options: FailoverOptions;
  readonly #backAfterMs: number[] = [];
  readonly #found: string[] = [];
  #stage!: Stage;
  #limits!: AdmissionProbe;

  constructor(cluster: FailoverCluster, options: FailoverOptions) {
    this.#cluster = cluster;
    this.#options = options;
  }

  async carryOut(stage: Stage): Promise<void> {
    this.#stage = stage;
    this.nonces = new AdmissionProbe(stage.replicas, sandboxCredentials('demo', 'demo-load'));
    this.#limits = new AdmissionProbe(stage.replicas, sandboxCredentials('limited'));
    const ends = new AbortController();
    const probing = [this.nonces, this.#limits].map((probe) => probe.run(ends.signal));
    try {
      await this.#loseAll();
    } finally {
      // The probes sign with the machine's time, so they end before the time is moved.
      ends.abort();
      await Promise.all(probing);
    }
    this.#limits.judge(MINUTE_LIMIT);
  }

  findings(): readonly string[] {
    const { unanswered } = this.#stage.partner;
    const late = this.#backAfterMs.filter((ms) => ms > BACK_WITHIN_MS);
    return [
      ...this.#found,
      ...this.nonces.findings,
      ...this.#limits.findings,
      ...late.map((ms) => `the service was back ${ms} ms after the database`),
      ...unanswered,
    ];
  }

  figures(): Readonly<Record<string, number>> {
    return {
      failovers: this.#backAfterMs.length,
      backAfterMs: Math.max(0, ...this.#backAfterMs),
      limited: this.#limits.limited,
      servedAtTheLimit: this.#limits.served,
      noncesReplayed: this.nonces.replayed,
    };
  }

  tell(line: string): void {
    this.#options.tell(`  ${line}`);
  }

  found(finding: string): void {
    this.#found.push(finding);
  }

  async addReplica(name: string, more: Readonly<Record<string, string>>): Promise<void> {
    this.nonces.alsoAsk(await this.#stage.addReplica(name, more));
  }

  async whileTimeLeaps(leap: () => Promise<void>): Promise<void> {
    await this.#limits.whileTimeLeaps(leap);
  }

  async failOver(loss: Loss): Promise<void> {
    const lostAt = performance.now();
    await this.#cluster.failOver(loss);
    const lostFor = Math.round(performance.now() - lostAt);
    const ms = await this.untilServed();
    this.#backAfterMs.push(ms);
    const what = `${loss.toLowerCase()}; a new primary after ${lostFor} ms`;
    this.tell(`${what}, every replica serves ${ms} ms later`);
    await this.nonces.replay();
  }

  /** @returns milliseconds until every replica has served a call */
  async untilServed(): Promise<number> {
    const from = performance.now();
    await Promise.all(this.#stage.replicas.map((replica) => this.#isServed(replica)));
    return Math.round(performance.now() - from);
  }

  async #isServed(replica: Replica): Promise<void> {
    const deadline = performance.now() + 3 * BACK_WITHIN_MS;
    while (performance.now() < deadline) {
      const call = { method: 'GET', path: '/products' } as const;
      if ((await this.#stage.partner.call(replica, call)).status === 200) return;
      await sleep(50);
    }
    throw new Error(`${replica.name} does not serve any more`);
  }

  async #loseAll(): Promise<void> {
    const { failovers, trials = [], seed } = this.#options;
    const random = new SeededRandom(seed + 4);
    const first = random.below(2);
    for (let turn = 0; turn < failovers; turn += 1) {
      await sleep(random.between(CALM_MS / 3, CALM_MS));
      await this.failOver((turn + first) % 2 === 0 ? 'KILLED' : 'PARTITIONED');
      // After the last failover only a trial needs a standby.
      if (turn + 1 < failovers || trials.length > 0) await this.#cluster.addStandby();
    }
    for (const { name, run } of trials) {
      this.#options.tell(`${name}:`);
      await run(this);
    }
  }

  async failOverAndAddStandby(loss: Loss): Promise<void> {
    await this.failOver(loss);
    await this.#cluster.addStandby();
  }
}
