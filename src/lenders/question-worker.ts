import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import {
  ClaimWorker,
  exponentialBackoff,
  isToldOutage,
  Keyring,
  logFailure,
  RandomSource,
} from '../platform/index.js';
import { LenderCatalogue } from '../settings/index.js';
import type { ClaimedQuestion, QuestionOutcome } from './claimed-question.js';
import { LenderGateway } from './lender-gateway.js';
import { type LenderReply, LenderUnavailable, type QuestionPayload } from './lender-port.js';
import { OutcomeRecorder } from './outcome-recorder.js';
import { PAYLOAD_PURPOSE, QuestionOutbox } from './question-outbox.js';
import { LenderQuestionsRepository } from './store/lender-questions.repository.js';

const SLOTS = 48;
// One lender that hangs holds only its own slots.
const SLOTS_A_LENDER = 16;
const POLL_MS = 1_000;
// Longer than the gateway's deadline, so that a lease only runs out on a holder that is gone.
const LEASE_SECONDS = 20;
const FAILURE_BACKOFF = { firstMs: 500, maxMs: 60_000, jitter: 0.2 };
const PENDING_BACKOFF = { firstMs: 1_000, maxMs: 60_000, jitter: 0.2 };

/**
 * Puts the questions that are due to their lenders, each under a lease with a fencing token, and
 * brings the answers to the inbox. A worker that is killed leaves a lease that runs out; the
 * question is then put again under the same id.
 */
@Injectable()
export class QuestionWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(QuestionWorker.name);
  /** How many questions this process has with each lender. */
  private readonly inFlight = new Map<string, number>();
  private readonly worker = new ClaimWorker({
    name: 'lender-questions',
    slots: SLOTS,
    pollMs: POLL_MS,
    claim: (free) => this.claim(free),
    work: (row) => this.askInRoom(row),
  });

  constructor(
    private readonly questions: LenderQuestionsRepository,
    private readonly lenders: LenderCatalogue,
    private readonly gateway: LenderGateway,
    private readonly recorder: OutcomeRecorder,
    private readonly keyring: Keyring,
    private readonly random: RandomSource,
    questionOutbox: QuestionOutbox,
  ) {
    questionOutbox.arrivals.listen(() => this.worker.wake());
  }

  onApplicationBootstrap(): void {
    this.worker.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.worker.stop();
  }

  private async claim(questions: number): Promise<ClaimedQuestion[]> {
    const rooms = await this.rooms();
    return this.questions.claim({ questions, leaseSeconds: LEASE_SECONDS, rooms });
  }

  private async rooms(): Promise<ReadonlyMap<string, number>> {
    const lenders = await this.lenders.list();
    return new Map(
      lenders.map(({ code }) => [
        code,
        Math.max(0, SLOTS_A_LENDER - (this.inFlight.get(code) ?? 0)),
      ]),
    );
  }

  private async askInRoom(row: ClaimedQuestion): Promise<void> {
    const lender = row.lenderCode;
    this.inFlight.set(lender, (this.inFlight.get(lender) ?? 0) + 1);
    try {
      await this.askOne(row);
    } finally {
      this.inFlight.set(lender, (this.inFlight.get(lender) ?? 1) - 1);
    }
  }

  private async askOne(row: ClaimedQuestion): Promise<void> {
    try {
      await this.record(row, this.outcomeOf(row, await this.putToLender(row)));
    } catch (error) {
      const { id: question, lenderCode: lender, kind } = row;
      if (!isToldOutage(error)) this.logger.warn({ err: error, question, lender, kind });
      await this.record(row, this.failureOf(row, error)).catch((lost: unknown) =>
        logFailure(this.logger, lost, { question }),
      );
    }
  }

  private putToLender(row: ClaimedQuestion): Promise<LenderReply> {
    return this.gateway.ask({
      lenderCode: row.lenderCode,
      kind: row.kind,
      partnerId: row.partnerId,
      subjectId: row.subjectId,
      reference: row.reference,
      attemptsBefore: row.attempts - 1,
      askedAt: row.createdAt,
      payload: JSON.parse(this.keyring.open(row.payloadSealed, PAYLOAD_PURPOSE)) as QuestionPayload,
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
    const backoff = exponentialBackoff(row.failures + 1, FAILURE_BACKOFF, this.random.fraction());
    const unavailable = error instanceof LenderUnavailable ? error : null;
    const asked = unavailable?.askAgainInMs ?? 0;
    return {
      kind: 'FAILED',
      failure: error instanceof Error ? error.message : 'unknown',
      waitMs: Math.max(backoff, asked),
      isLeftAlone: unavailable?.isLeftAlone ?? false,
    };
  }

  private async record(row: ClaimedQuestion, outcome: QuestionOutcome): Promise<void> {
    await this.recorder.record(row, outcome);
    if (outcome.kind === 'ANSWERED') return;
    const wake = setTimeout(() => this.worker.wake(), outcome.waitMs);
    wake.unref();
  }
}
