import { Injectable } from '@nestjs/common';
import { ClaimWorker, ClockDifference, DuePoller, logFailure } from '../platform/index.js';
import { LenderCatalogue } from '../settings/index.js';
import type { ClaimedQuestion, QuestionOutcome } from './claimed-question.js';
import { LenderGateway, LenderUnavailable } from './lender-gateway.js';
import { questionId } from './lender-port.js';
import { type QuestionPayload, SentBody } from './question-payload.js';
import { OutcomeRecorder } from './outcome-recorder.js';
import { QuestionWaits } from './question-waits.js';
import { LenderQuestionsRepository, OF_LENDER } from './store/lender-questions.repository.js';
import { QuestionOutbox } from './store/question-outbox.js';

const SLOTS = 48;
// A lender that hangs blocks only its own slots.
const SLOTS_A_LENDER = 16;
// Longer than the gateway's deadline, so a lease expires only when its worker has died.
const LEASE_SECONDS = 20;

/**
 * Puts due questions to their lenders, each under a lease with a fencing token. After a crash the question is put
 * again under the same id.
 */
@Injectable()
export class QuestionWorker extends ClaimWorker<ClaimedQuestion> {
  private readonly inFlight = new Map<string, number>();

  constructor(
    private readonly questions: LenderQuestionsRepository,
    private readonly lenders: LenderCatalogue,
    private readonly gateway: LenderGateway,
    private readonly recorder: OutcomeRecorder,
    private readonly waits: QuestionWaits,
    private readonly questionOutbox: QuestionOutbox,
    private readonly clock: ClockDifference,
    poller: DuePoller,
  ) {
    super('lender-questions', SLOTS, poller, LenderQuestionsRepository.DUE);
    questionOutbox.arrivals.listen(() => this.wake());
  }

  protected async claim(questions: number): Promise<ClaimedQuestion[]> {
    // With a wrong clock signatures are invalid both ways, so other replicas ask.
    if (this.clock.isUnfit) return [];
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

  protected async work(row: ClaimedQuestion): Promise<void> {
    const lender = row.lenderCode;
    this.inFlight.set(lender, (this.inFlight.get(lender) ?? 0) + 1);
    try {
      await this.askOne(row);
    } finally {
      this.inFlight.set(lender, (this.inFlight.get(lender) ?? 1) - 1);
    }
  }

  private async askOne(row: ClaimedQuestion): Promise<void> {
    let sent = new SentBody();
    try {
      sent = this.questionOutbox.openSent(row.sentSealed, this.keepOf(row));
      await this.record(row, await this.outcomeOf(row, sent), sent);
    } catch (error) {
      const { subjectId, kind, reference, lenderCode: lender } = row;
      const about = { question: questionId(subjectId, kind, reference), lender, kind };
      // The gateway has logged failed calls.
      if (!(error instanceof LenderUnavailable)) logFailure(this.logger, error, about);
      await this.record(row, this.waits.failed(row, error), sent).catch((lost: unknown) =>
        logFailure(this.logger, lost, about),
      );
    }
  }

  /** Not for offers and withdrawals: a lender that rejects a changed body stops no loan there. */
  private keepOf(row: ClaimedQuestion): ((body: string) => Promise<void>) | undefined {
    return OF_LENDER.has(row.kind) ? undefined : (body) => this.questionOutbox.keepSent(row, body);
  }

  private async outcomeOf(row: ClaimedQuestion, sent: SentBody): Promise<QuestionOutcome> {
    const payload = this.questionOutbox.openPayload(row.payloadSealed);
    if (await this.isSwitchedOff(row, payload)) return this.waits.switchedOff(row);
    const reply = await this.gateway.ask({
      lenderCode: row.lenderCode,
      kind: row.kind,
      partnerId: row.partnerId,
      subjectId: row.subjectId,
      reference: row.reference,
      attemptsBefore: row.attempts - 1,
      askedAt: row.createdAt,
      payload,
      sent,
    });
    if (reply.status === 'PENDING') return this.waits.pending(row, reply);
    return { kind: 'ANSWERED', answerId: reply.answerId, answer: reply.answer };
  }

  /** A disabled lender is only asked about loans for which it was chosen. */
  private async isSwitchedOff(
    { kind, lenderCode }: ClaimedQuestion,
    { applicationReference }: QuestionPayload,
  ): Promise<boolean> {
    const isBeforeTheChoice = kind === 'OFFERS' || kind === 'WITHDRAWAL';
    if (!isBeforeTheChoice || applicationReference !== undefined) return false;
    const lender = await this.lenders.find(lenderCode);
    return lender !== null && !lender.isEnabled;
  }

  private async record(
    row: ClaimedQuestion,
    outcome: QuestionOutcome,
    sent: SentBody,
  ): Promise<void> {
    await this.recorder.record(row, outcome, this.questionOutbox.sealSent(sent));
    if (!('waitMs' in outcome)) return;
    const wake = setTimeout(() => this.wake(), outcome.waitMs);
    wake.unref();
  }
}
