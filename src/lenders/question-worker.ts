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
import { LenderGateway } from './lender-gateway.js';
import { LenderInbox } from './lender-inbox.js';
import type { LenderReply, QuestionKind, QuestionPayload } from './lender-port.js';
import { PAYLOAD_PURPOSE, QuestionDesk } from './question-desk.js';

const SLOTS = 48;
// One lender that hangs holds its own places and nobody else's.
const SLOTS_A_LENDER = 16;
const POLL_MS = 1_000;
// Longer than the gateway's deadline, so that a lease only runs out on a holder that is gone.
const LEASE_SECONDS = 20;
const FAILURE_BACKOFF = { firstMs: 500, mostMs: 60_000, jitter: 0.2 };
const PENDING_BACKOFF = { firstMs: 1_000, mostMs: 60_000, jitter: 0.2 };

interface ClaimedRow {
  id: string;
  partner_id: string;
  subject_id: string;
  lender_code: string;
  kind: QuestionKind;
  reference: string;
  payload_sealed: string;
  attempts: number;
  failures: number;
  lease_token: number;
  created_at: Date;
}

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
    private readonly inbox: LenderInbox,
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
    const rows = await this.database.query<ClaimedRow & Record<string, unknown>>(CLAIM, [
      this.slots.free,
      LEASE_SECONDS,
      SLOTS_A_LENDER,
      busy.map(([lenderCode]) => lenderCode),
      busy.map(([, count]) => count),
    ]);
    for (const row of rows) this.start(row);
    return rows.length;
  }

  private start(row: ClaimedRow): void {
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

  private async askOne(row: ClaimedRow): Promise<void> {
    try {
      await this.record(row, await this.putToLender(row));
    } catch (error) {
      const { id: question, lender_code: lender, kind } = row;
      if (!isToldOutage(error)) this.logger.warn({ err: error, question, lender, kind });
      await this.recordFailure(row, error).catch((lost: unknown) =>
        logFailure(this.logger, lost, { question }),
      );
    }
  }

  private putToLender(row: ClaimedRow): Promise<LenderReply> {
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

  private async record(row: ClaimedRow, reply: LenderReply): Promise<void> {
    if (reply.status === 'PENDING') {
      const polls = row.attempts - row.failures;
      const backoff = exponentialBackoff(polls, PENDING_BACKOFF, this.random.fraction());
      await this.release(row, reply.askAgainInMs ?? backoff);
      return;
    }
    await this.database.transaction(async (tx) => {
      // The inbox before the question, in the order of everyone who takes answers up: another order
      // would be a deadlock. An answer to a question that was closed meanwhile is kept, too.
      await this.inbox.receive(tx, {
        lenderCode: row.lender_code,
        answerId: reply.answerId,
        partnerId: row.partner_id,
        subjectId: row.subject_id,
        kind: row.kind,
        reference: row.reference,
        answer: reply.answer,
      });
      await tx.execute(
        `UPDATE lender_questions SET status = 'ANSWERED', lease_until = NULL
         WHERE id = $1 AND lease_token = $2 AND status = 'OPEN'`,
        [row.id, row.lease_token],
      );
    });
  }

  private async release(row: ClaimedRow, waitMs: number): Promise<void> {
    await this.database.query(
      `UPDATE lender_questions SET lease_until = NULL,
         next_attempt_at = CASE WHEN next_attempt_at < lease_until
           THEN least(next_attempt_at, app_now() + $3 * interval '1 millisecond')
           ELSE app_now() + $3 * interval '1 millisecond' END
       WHERE id = $1 AND lease_token = $2 AND status = 'OPEN'`,
      [row.id, row.lease_token, waitMs],
    );
    const wake = setTimeout(() => this.loop.wake(), waitMs);
    wake.unref();
  }

  private async recordFailure(row: ClaimedRow, error: unknown): Promise<void> {
    const failures = row.failures + 1;
    await this.database.query(
      `UPDATE lender_questions SET failures = $3, last_failure = $4
       WHERE id = $1 AND lease_token = $2 AND status = 'OPEN'`,
      [row.id, row.lease_token, failures, error instanceof Error ? error.message : 'unknown'],
    );
    await this.release(row, exponentialBackoff(failures, FAILURE_BACKOFF, this.random.fraction()));
  }
}

// A claim puts the next attempt at the end of the lease: whoever has the question asked sooner
// meanwhile puts it before that, and `release` keeps to it.
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
