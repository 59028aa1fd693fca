import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { auditFindings } from '../faults/audit-findings.ts';
import { Partner } from '../faults/partner.ts';
import { Replica } from '../faults/replica.ts';
import { SeededRandom } from '../faults/seeded-random.ts';
import { FakeRazorpay, RAZORPAY_ACCOUNT } from '../support/fake-razorpay.ts';
import { freePort } from '../support/free-port.ts';
import { ReferenceLenders } from '../support/reference-lenders.ts';
import { Balancer } from './balancer.ts';
import { lendersAtRandom, remoteConfiguration } from './lenders-at-random.ts';
import { WalkingJourney } from './walking-journey.ts';
import { WalkingLoan } from './walking-loan.ts';
import { LEFT, WalkVerdict } from './walk-verdict.ts';

export interface WalkOptions {
  readonly databaseUrl: string;
  readonly journeys: number;
  readonly seed: number;
  readonly seconds: number;
  readonly together: number;
  readonly pace: number;
  readonly faults: number | null;
  readonly tell: (line: string) => void;
}

export interface WalkReport {
  readonly findings: readonly string[];
  readonly figures: Readonly<Record<string, number>>;
}

const REPLICAS = 2;
const LOAN_EVERY = 5;
const PROGRESS_MS = 15_000;
const GRACE_SECONDS = 150;
const LENDER_AWAY = 'The lender cannot be reached at present';

/** Has journeys walk at random with lenders that answer at random, and judges them by the lenders' books. */
export async function runWalks(options: WalkOptions): Promise<WalkReport> {
  const run = await WalkRun.prepare(options);
  try {
    await run.walk();
    await run.settle();
    return await run.judge();
  } finally {
    await run.end();
  }
}

interface Stage {
  readonly replicas: readonly Replica[];
  readonly balancer: Balancer;
  readonly lenders: ReferenceLenders;
  readonly razorpay: FakeRazorpay;
  readonly removeConfiguration: () => void;
}

class WalkRun {
  private readonly options: WalkOptions;
  private readonly stage: Stage;
  private readonly pool: Pool;
  private readonly partner: Partner;
  private readonly journeys: readonly (WalkingJourney | WalkingLoan)[];
  private readonly begun: (WalkingJourney | WalkingLoan)[] = [];
  private readonly startedAt = performance.now();

  private constructor(options: WalkOptions, stage: Stage) {
    this.options = options;
    this.stage = stage;
    this.pool = new Pool({ connectionString: options.databaseUrl, max: 2 });
    this.pool.on('error', () => undefined);
    this.partner = new Partner(stage.replicas);
    const { journeys, seed, pace } = options;
    this.journeys = Array.from({ length: journeys }, (_, index) =>
      index % LOAN_EVERY === LOAN_EVERY - 1
        ? new WalkingLoan(this.partner, stage.razorpay, seed, index, pace)
        : new WalkingJourney(this.partner, seed, index, pace),
    );
  }

  static async prepare(options: WalkOptions): Promise<WalkRun> {
    const { databaseUrl, seed, faults } = options;
    const [port, lenderPort] = await Promise.all([freePort(), ReferenceLenders.port()]);
    const rinpathUrl = `http://127.0.0.1:${port}`;
    const razorpay = await new FakeRazorpay().start();
    razorpay.refunds.startsAs = 'processed';
    const account = { ...RAZORPAY_ACCOUNT, apiBaseUrl: razorpay.url };
    const configuration = remoteConfiguration(lenderPort, account);
    const env = { BASE_URL: rinpathUrl, CONFIG_FILE: configuration.file };
    const names = Array.from({ length: REPLICAS }, (_, index) => `replica ${index + 1}`);
    const replicas = await Promise.all(names.map((name) => Replica.create(name, databaseUrl, env)));
    const random = new SeededRandom(seed);
    const balancer = new Balancer(() => random.pick(replicas));
    await balancer.listen(port);
    const lenders = await lendersAtRandom(new SeededRandom(seed + 1), {
      rinpathUrl,
      port: lenderPort,
      faults,
    });
    const removeConfiguration = () => configuration.remove();
    const stage = { replicas, balancer, lenders, razorpay, removeConfiguration };
    const run = new WalkRun(options, stage);
    try {
      await Promise.all(replicas.map((replica) => replica.start()));
      return run;
    } catch (error) {
      await run.end();
      throw error;
    }
  }

  async walk(): Promise<void> {
    const { together, tell } = this.options;
    const waiting = [...this.journeys];
    const lane = async () => {
      while (this.seconds() < this.options.seconds) {
        const journey = waiting.shift();
        if (!journey) return;
        this.begun.push(journey);
        await journey.walk(() => this.isLate());
      }
    };
    const progress = setInterval(() => tell(this.progress()), PROGRESS_MS);
    try {
      await Promise.all(Array.from({ length: together }, lane));
    } finally {
      clearInterval(progress);
    }
    tell(this.progress());
  }

  async settle(): Promise<void> {
    await this.stage.lenders.takeFaultsBack();
    // After a dozen failures the next attempt is half an hour away.
    await this.pool.query(
      `UPDATE lender_questions SET next_attempt_at = app_now() WHERE status = 'OPEN'`,
    );
    while (!this.isLate()) {
      const { rows } = await this.pool.query<{ count: number }>(LEFT);
      const { messages } = await this.stage.lenders.books();
      const isSettled =
        rows.every(({ count }) => count === 0) && messages.every(({ endedAt }) => endedAt !== null);
      if (isSettled) return;
      await sleep(250);
    }
  }

  async judge(): Promise<WalkReport> {
    const stops = await Promise.allSettled(this.stage.replicas.map((replica) => replica.stop()));
    // A replica that stops still finishes its calls to lenders.
    const books = await this.stage.lenders.books();
    const verdict = new WalkVerdict(this.pool, books, this.stage.razorpay);
    const { findings } = verdict;
    for (const stop of stops) if (stop.status === 'rejected') findings.push(String(stop.reason));
    const { begun, journeys } = this;
    if (this.isLate()) findings.push('what was under way was not over in time');
    if (begun.length < journeys.length) {
      findings.push(`there was time for ${begun.length} of ${journeys.length} journeys`);
    }
    const ids = begun.map((one) => (one instanceof WalkingLoan ? one.journeyId : one.id));
    const rows = await verdict.onJourneys(ids);
    await verdict.onWhatIsLeft();
    findings.push(...(await auditFindings(this.options.databaseUrl)));
    findings.push(...this.partner.failures);
    for (const { name, errors } of this.stage.replicas) {
      const unexpected = errors.filter((error) => !error.includes(LENDER_AWAY));
      for (const error of unexpected) findings.push(`${name} logged ${error}`);
    }
    const ended = (state: string) => rows.filter((row) => row.state === state).length;
    const { outcomes } = this.partner;
    return {
      findings,
      figures: {
        seconds: this.seconds(),
        journeys: rows.length,
        sanctioned: ended('SANCTIONED'),
        rejected: ended('REJECTED'),
        loans: rows.filter(({ isLoan }) => isLoan).length,
        feesPaid: rows.filter(({ fee }) => fee !== null).length,
        refunds: this.stage.razorpay.refunds.made.length,
        calls: [...outcomes.values()].reduce((sum, count) => sum + count, 0),
        conflicts: outcomes.get('409') ?? 0,
        unavailable: outcomes.get('503') ?? 0,
        questions: books.questions.length,
        askedMoreThanOnce: books.questions.filter(({ timesAsked }) => timesAsked > 1).length,
        told: books.messages.length,
        toldMoreThanOnce: books.messages.filter(({ attempts }) => attempts > 1).length,
      },
    };
  }

  async end(): Promise<void> {
    const { replicas, balancer, lenders, razorpay, removeConfiguration } = this.stage;
    await Promise.allSettled(replicas.map((replica) => replica.stop()));
    await balancer.close();
    await lenders.stop();
    await razorpay.stop();
    removeConfiguration();
    await this.pool.end();
  }

  private isLate(): boolean {
    return this.seconds() > this.options.seconds + GRACE_SECONDS;
  }

  private seconds(): number {
    return Math.round((performance.now() - this.startedAt) / 1_000);
  }

  private progress(): string {
    const over = this.journeys.filter(({ isOver }) => isOver).length;
    return `${this.seconds()} s: ${over} of ${this.journeys.length} journeys are over`;
  }
}
