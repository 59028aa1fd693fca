import { setTimeout as sleep } from 'node:timers/promises';
import { auditFindings } from '../faults/audit-findings.ts';
import { Partner } from '../faults/partner.ts';
import {
  callFigures,
  countOver,
  createReplicas,
  type FaultReport,
  openPool,
  secondsSince,
  stopReplicas,
} from '../faults/run-parts.ts';
import type { CreateReplica } from '../faults/replica.ts';
import { SeededRandom } from '../faults/seeded-random.ts';
import { configurationWith } from '../support/configuration-with.ts';
import { FakeRazorpay, RAZORPAY_ACCOUNT } from '../support/fake-razorpay.ts';
import { freePort } from '../support/free-port.ts';
import { ReferenceLenders, remoteLenders, shippedTerms } from '../support/reference-lenders.ts';
import { Balancer } from './balancer.ts';
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
  /** By default in their own processes. */
  readonly createReplica?: CreateReplica;
  readonly audit?: (databaseUrl: string) => Promise<string[]>;
}

const REPLICAS = 2;
const LOAN_EVERY = 5;
const PROGRESS_MS = 15_000;
/** The delay of a late lender. */
const LATE_S = 1;
/** This lender keeps the fee of an instant loan that it declines. */
const KEEPS_FEES = 'kaverisetu';
const GRACE_SECONDS = 150;
/** Logged for each 503 that a lender causes, which is expected here. */
const LENDER_AWAY = 'The lender cannot be reached';

/** Runs random journeys with lenders that answer at random, and checks them against the lenders' books. */
export async function runWalks(options: WalkOptions): Promise<FaultReport> {
  const { databaseUrl, seed, pace, tell, audit = auditFindings } = options;
  const startedAt = performance.now();
  const [port, lenderPort] = await Promise.all([freePort(), ReferenceLenders.port()]);
  const rinpathUrl = `http://127.0.0.1:${port}`;
  const razorpay = await new FakeRazorpay().start();
  razorpay.refunds.startsAs = 'processed';
  const account = { ...RAZORPAY_ACCOUNT, apiBaseUrl: razorpay.url };
  const configuration = configurationWith((shipped) => ({
    lenders: remoteLenders(shipped.lenders as { code: string }[], lenderPort).map((lender) =>
      lender.code === KEEPS_FEES ? { ...lender, feeOnDecline: 'KEPT' } : lender,
    ),
    payment: { gateway: 'razorpay', razorpay: account },
  }));
  const env = { BASE_URL: rinpathUrl, CONFIG_FILE: configuration.file };
  const replicas = await createReplicas(
    REPLICAS,
    'replica ',
    databaseUrl,
    env,
    options.createReplica,
  );
  const random = new SeededRandom(seed);
  const balancer = new Balancer(() => random.pick(replicas));
  await balancer.listen(port);
  const chance = new SeededRandom(seed + 1);
  const lenders = await ReferenceLenders.start({
    rinpathUrl,
    port: lenderPort,
    lenders: shippedTerms(),
    world: { chance: () => chance.fraction() },
  });
  await lenders.order('*', '*', 'varied', { times: options.faults, seconds: LATE_S });
  const pool = openPool(databaseUrl);
  const partner = new Partner(replicas);
  const journeys = Array.from({ length: options.journeys }, (_, index) =>
    index % LOAN_EVERY === LOAN_EVERY - 1
      ? new WalkingLoan(partner, razorpay, seed, index, pace)
      : new WalkingJourney(partner, seed, index, pace),
  );
  const begun: typeof journeys = [];
  const isLate = () => secondsSince(startedAt) > options.seconds + GRACE_SECONDS;
  const showProgress = () =>
    tell(
      `${secondsSince(startedAt)} s: ${countOver(journeys)} of ${journeys.length} journeys are over`,
    );

  const walk = async () => {
    const waiting = [...journeys];
    const lane = async () => {
      while (secondsSince(startedAt) < options.seconds) {
        const journey = waiting.shift();
        if (!journey) return;
        begun.push(journey);
        await journey.walk(isLate);
      }
    };
    const progress = setInterval(showProgress, PROGRESS_MS);
    try {
      await Promise.all(Array.from({ length: options.together }, lane));
    } finally {
      clearInterval(progress);
    }
    showProgress();
  };
  /** Messages from and to lenders continue without random faults. */
  const untilSettled = async () => {
    await lenders.takeFaultsBack();
    // After a dozen failures the next attempt is half an hour away.
    await pool.query(
      `UPDATE lender_questions SET next_attempt_at = app_now() WHERE status = 'OPEN'`,
    );
    while (!isLate()) {
      const { rows } = await pool.query<{ count: number }>(LEFT);
      const { messages } = await lenders.books();
      const isSettled =
        rows.every(({ count }) => count === 0) && messages.every(({ endedAt }) => endedAt !== null);
      if (isSettled) return;
      await sleep(250);
    }
  };

  try {
    await Promise.all(replicas.map((replica) => replica.start()));
    await walk();
    await untilSettled();
    const findings = await stopReplicas(replicas, [LENDER_AWAY]);
    // A replica that stops still finishes its calls to lenders.
    const books = await lenders.books();
    if (isLate()) findings.push('what was under way was not over in time');
    if (begun.length < journeys.length) {
      findings.push(`there was time for ${begun.length} of ${journeys.length} journeys`);
    }
    const verdict = new WalkVerdict(pool, books, razorpay);
    const ids = begun.map((one) => (one instanceof WalkingLoan ? one.journeyId : one.id));
    const rows = await verdict.onJourneys(ids);
    await verdict.onWhatIsLeft();
    findings.push(...verdict.findings, ...(await audit(databaseUrl)), ...partner.failures);
    const ended = (state: string) => rows.filter((row) => row.state === state).length;
    const figures = {
      seconds: secondsSince(startedAt),
      journeys: rows.length,
      sanctioned: ended('SANCTIONED'),
      rejected: ended('REJECTED'),
      loans: rows.filter(({ isLoan }) => isLoan).length,
      feesPaid: rows.filter(({ fee }) => fee !== null).length,
      refunds: razorpay.refunds.made.length,
      ...callFigures(partner),
      questions: books.questions.length,
      askedMoreThanOnce: books.questions.filter(({ timesAsked }) => timesAsked > 1).length,
      messages: books.messages.length,
      sentMoreThanOnce: books.messages.filter(({ attempts }) => attempts > 1).length,
    };
    return { findings, figures };
  } finally {
    await Promise.allSettled(replicas.map((replica) => replica.stop()));
    await balancer.close();
    await lenders.stop();
    await razorpay.stop();
    configuration.remove();
    await pool.end();
  }
}
