import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import {
  Database,
  exponentialBackoff,
  isToldOutage,
  Keyring,
  logFailure,
  RandomSource,
  Slots,
  WorkLoop,
} from '../platform/index.js';
import type { ClaimedQuestion, QuestionOutcome } from './claimed-question.js';
import { LenderGateway } from './lender-gateway.js';
import type { LenderReply, QuestionPayload } from './lender-port.js';
import { OutcomeRecorder } from './outcome-recorder.js';
import { PAYLOAD_PURPOSE, QuestionDesk } from './question-desk.js';

const SLOTS = 48;
// One lender that hangs holds its own places and nobody else's.
const SLOTS_A_LENDER = 16;
const POLL_MS = 1_000;
// Longer than the gateway's deadline, so that a lease only runs out on a holder that is gone.
const LEASE_SECONDS = 20;
const FAILURE_BACKOFF = { firstMs: 500, mostMs: 60_000, jitter: 0.2 };
const PENDING_BACKOFF = { firstMs: 1_000, mostMs: 60_000, jitter: 0.2 };

/**
 * Puts the questions that are due to their lenders, each under a lease with a fencing token, and
 * brings the answers to the inbox. A worker that is killed leaves a lease that runs out; the
 * question is then put again under the same id.
 */
@Injectable()
export class QuestionWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(QuestionWorker.name);
  private readonly slots = new Slots(SLOTS);
  /** How many questions this process has with each lender. */
  private readonly inFlight = new Map<string, number>();
  private readonly loop = new WorkLoop({
    name: 'lender-questions',
    run: () => this.claimAndAsk(),
    pollMs: POLL_MS,
  });

  constructor(
    private readonly database: Database,
    private readonly gateway: LenderGateway,
    private readonly recorder: OutcomeRecorder,
    private readonly keyring: Keyring,
    private readonly random: RandomSource,
    desk: QuestionDesk,
  ) {
    desk.arrivals.listen(() => this.loop.wake());
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    await this.slots.drained();
  }

  private async claimAndAsk(): Promise<number> {
    if (this.slots.free === 0) return 0;
    const busy = [...this.inFlight];
    const rows = await this.database.query<ClaimedQuestion & Record<string, unknown>>(CLAIM, [
      this.slots.free,
      LEASE_SECONDS,
      SLOTS_A_LENDER,
      busy.map(([lenderCode]) => lenderCode),
      busy.map(([, count]) => count),
    ]);
    for (const row of rows) this.start(row);
    return rows.length;
  }

  private start(row: ClaimedQuestion): void {
    const lender = row.lender_code;
    this.inFlight.set(lender, (this.inFlight.get(lender) ?? 0) + 1);
    this.slots.start(
      () => this.askOne(row),
      () => {
        this.inFlight.set(lender, (this.inFlight.get(lender) ?? 1) - 1);
        this.loop.wake();
      },
    );
  }

  private async askOne(row: ClaimedQuestion): Promise<void> {
    try {
      await this.record(row, this.outcomeOf(row, await this.putToLender(row)));
    } catch (error) {
      const { id: question, lender_code: lender, kind } = row;
      if (!isToldOutage(error)) this.logger.warn({ err: error, question, lender, kind });
      await this.record(row, this.failureOf(row, error)).catch((lost: unknown) =>
        logFailure(this.logger, lost, { question }),
      );
    }
  }

  private putToLender(row: ClaimedQuestion): Promise<LenderReply> {
    return this.gateway.ask({
      lenderCode: row.lender_code,
      kind: row.kind,
      partnerId: row.partner_id,
      subjectId: row.subject_id,
      reference: row.reference,
      attemptsBefore: row.attempts - 1,
      askedAt: row.created_at,
      payload: JSON.parse(
        this.keyring.open(row.payload_sealed, PAYLOAD_PURPOSE),
      ) as QuestionPayload,
    });
  }

  private outcomeOf(row: ClaimedQuestion, reply: LenderReply): QuestionOutcome {
    if (reply.status === 'ANSWERED') {
      return { kind: 'ANSWERED', answerId: reply.answerId, answer: reply.answer };
    }
    const polls = row.attempts - row.failures;
    const backoff = exponentialBackoff(polls, PENDING_BACKOFF, this.random.fraction());
    return {
      kind: 'PENDING',
      waitMs: reply.askAgainInMs ?? backoff,
      isSessionOpen: reply.isSessionOpen ?? false,
    };
  }

  private failureOf(row: ClaimedQuestion, error: unknown): QuestionOutcome {
    return {
      kind: 'FAILED',
      failure: error instanceof Error ? error.message : 'unknown',
      waitMs: exponentialBackoff(row.failures + 1, FAILURE_BACKOFF, this.random.fraction()),
    };
  }

  private async record(row: ClaimedQuestion, outcome: QuestionOutcome): Promise<void> {
    await this.recorder.record(row, outcome);
    if (outcome.kind === 'ANSWERED') return;
    const wake = setTimeout(() => this.loop.wake(), outcome.waitMs);
    wake.unref();
  }
}

// A claim puts the next attempt at the end of the lease, by which the recorder knows whether somebody
// has the question asked sooner meanwhile.
// Materialised, or the clock would be read once for each column, and the two would differ.
const CLAIM = `
  WITH lease AS MATERIALIZED (SELECT app_now() + $2 * interval '1 second' AS until)
  UPDATE lender_questions SET attempts = attempts + 1, lease_token = lease_token + 1,
    lease_until = lease.until, next_attempt_at = lease.until
  FROM lease
  WHERE id IN (
    SELECT due.id FROM lenders AS l
    LEFT JOIN unnest($4::text[], $5::integer[]) AS busy (code, in_flight) ON busy.code = l.code
    CROSS JOIN LATERAL (
      SELECT q.id, q.next_attempt_at FROM lender_questions AS q
      WHERE q.lender_code = l.code AND q.status = 'OPEN' AND q.next_attempt_at <= app_now()
        AND (q.lease_until IS NULL OR q.lease_until < app_now())
      ORDER BY q.next_attempt_at
      LIMIT greatest(0, $3 - coalesce(busy.in_flight, 0))
      FOR UPDATE SKIP LOCKED
    ) AS due
    ORDER BY due.next_attempt_at LIMIT $1)
  RETURNING *
`;
