import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import {
  exponentialBackoff,
  isToldOutage,
  Keyring,
  logFailure,
  RandomSource,
  Slots,
  WorkLoop,
} from '../platform/index.js';
import { LenderCatalogue } from '../settings/index.js';
import type { ClaimedQuestion, QuestionOutcome } from './claimed-question.js';
import { LenderGateway } from './lender-gateway.js';
import type { LenderReply, QuestionPayload } from './lender-port.js';
import { OutcomeRecorder } from './outcome-recorder.js';
import { PAYLOAD_PURPOSE, QuestionOutbox } from './question-outbox.js';
import { LenderQuestionsRepository } from './store/lender-questions.repository.js';

const SLOTS = 48;
// One lender that hangs holds its own places and nobody else's.
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
  private readonly slots = new Slots(SLOTS);
  /** How many questions this process has with each lender. */
  private readonly inFlight = new Map<string, number>();
  private readonly loop = new WorkLoop({
    name: 'lender-questions',
    run: () => this.claimAndAsk(),
    pollMs: POLL_MS,
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
    questionOutbox.arrivals.listen(() => this.loop.wake());
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
    const rows = await this.questions.claim({
      questions: this.slots.free,
      leaseSeconds: LEASE_SECONDS,
      rooms: await this.rooms(),
    });
    for (const row of rows) this.start(row);
    return rows.length;
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

  private start(row: ClaimedQuestion): void {
    const lender = row.lenderCode;
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
