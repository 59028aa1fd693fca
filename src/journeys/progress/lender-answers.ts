import { Injectable } from '@nestjs/common';
import { isRedirectStep, type RedirectStep } from '../../journey-steps/index.js';
import {
  type ArrivedAnswer,
  type QuestionKind,
  type LenderAnswer,
  LenderInbox,
  LenderPayouts,
  LenderReferences,
  QuestionOutbox,
  type WaitingAnswer,
} from '../../lenders/index.js';
import { Clock, SystemClock, type Tx } from '../../platform/index.js';
import { AnswerFlags } from './answer-flags.js';
import { ApplicantFiles } from './applicant-file.js';
import type { Payout } from '../domain/journey.js';
import type { Journey } from '../store/journey.entity.js';
import { LoanDecisions } from './loan-decisions.js';
import { JourneyMover } from './journey-mover.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { StepVerdict } from '../redirects/step-verdict.js';

const DAY_MS = 86_400_000;

type PaidAnswer = Extract<LenderAnswer, { kind: 'PAID' }>;
type Waiting = WaitingAnswer<Exclude<QuestionKind, 'OFFERS'>>;

/**
 * Applies an answer to a question after the offers, in the transaction that holds the inbox row. A late one
 * is flagged and moves nothing.
 */
@Injectable()
export class LenderAnswers {
  constructor(
    private readonly inbox: LenderInbox,
    private readonly journeys: JourneysRepository,
    private readonly verdicts: StepVerdict,
    private readonly decisions: LoanDecisions,
    private readonly questionOutbox: QuestionOutbox,
    private readonly mover: JourneyMover,
    private readonly references: LenderReferences,
    private readonly applicants: ApplicantFiles,
    private readonly payouts: LenderPayouts,
    private readonly flags: AnswerFlags,
    private readonly clock: Clock,
    private readonly machine: SystemClock,
  ) {}

  /** Puts a synchronous answer into the inbox and applies it. */
  async receive(tx: Tx, received: ArrivedAnswer & { readonly kind: RedirectStep }): Promise<void> {
    await this.inbox.receive(tx, received);
    const waiting = await this.inbox.takeOne(tx, received);
    if (waiting) await this.apply(tx, waiting);
  }

  async apply(tx: Tx, waiting: Waiting): Promise<void> {
    const journey = await this.journeys.lock(tx, waiting.partnerId, waiting.subjectId);
    await this.questionOutbox.markAnswered(tx, waiting);
    if (!(await this.isTakenUp(tx, journey, waiting)))
      await this.flags.raiseLate(tx, waiting, journey);
    await this.inbox.markConsumed(tx, waiting.id);
  }

  private async isTakenUp(tx: Tx, journey: Journey | null, waiting: Waiting): Promise<boolean> {
    if (waiting.kind === 'WITHDRAWAL') return true;
    if (journey === null) return false;
    if (waiting.kind === 'DECISION') return this.decisions.apply(tx, journey, waiting);
    return isRedirectStep(waiting.kind)
      ? this.verdicts.apply(tx, journey, waiting.reference, waiting.answer)
      : this.applyDisbursement(tx, journey, waiting);
  }

  /** Any other answer is pending, never a failure. */
  private async applyDisbursement(tx: Tx, journey: Journey, waiting: Waiting): Promise<boolean> {
    const { answer } = waiting;
    if (journey.state !== 'DISBURSEMENT_PENDING') return isSameAgain(journey, answer);
    switch (answer.kind) {
      case 'PAID':
        await this.comparePayout(tx, journey, waiting, answer);
        await this.recordPayout(tx, journey, waiting, answer);
        return true;
      case 'REFUSED':
      case 'FAILED':
      case 'DECLINED':
        await this.mover.move(tx, journey, 'PAYOUT_REFUSED');
        return true;
      default:
        await this.flags.raise(tx, waiting, 'UNREADABLE_ANSWER', answer.kind, {
          answer: answer.kind,
        });
        return true;
    }
  }

  private async recordPayout(
    tx: Tx,
    journey: Journey,
    { lenderCode, partnerId, subjectId }: Waiting,
    answer: PaidAnswer,
  ): Promise<void> {
    const { amount, loanReference, transferReference: utr } = answer;
    const { applicationId } = journey;
    const disbursedAt = this.timeOf(answer.paidAt);
    await this.mover.move(tx, journey, 'PAID_OUT', { disbursedAt, payout: payoutOf(answer) });
    await this.payouts.note(tx, { lenderCode, applicationId, amount, utr, paidAt: disbursedAt });
    if (loanReference === undefined) return;
    await this.references.note(tx, {
      lenderCode,
      kind: 'LOAN',
      reference: loanReference,
      partnerId,
      subjectId,
      applicationId,
    });
  }

  /** The money is out in any case: a wrong amount, account or day is flagged. */
  private async comparePayout(
    tx: Tx,
    journey: Journey,
    waiting: Waiting,
    { amount, accountLastFour, paidAt }: PaidAnswer,
  ): Promise<void> {
    const time = this.timeOf(paidAt).getTime();
    const now = this.clock.now().getTime();
    // Real lenders pay in machine time.
    const earliest = Math.min(journey.createdAt.getTime(), this.machine.now().getTime());
    if (time < earliest - DAY_MS || time > now + DAY_MS) {
      await this.flags.raise(tx, waiting, 'PAYOUT_DIFFERS', 'TIME', { paidAt });
    }
    const agreed = journey.selection?.netDisbursed;
    if (amount !== agreed) {
      await this.flags.raise(tx, waiting, 'PAYOUT_DIFFERS', 'AMOUNT', { amount, agreed });
    }
    const account = this.applicants.openAccount(journey);
    if (!account || accountLastFour === undefined) return;
    if (!account.accNo.endsWith(accountLastFour)) {
      await this.flags.raise(tx, waiting, 'PAYOUT_DIFFERS', 'ACCOUNT', { isOtherAccount: true });
    }
  }

  private timeOf(text: string): Date {
    const time = new Date(text);
    return Number.isNaN(time.getTime()) ? this.clock.now() : time;
  }
}

function payoutOf(answer: PaidAnswer): Payout {
  const { amount, transferReference, loanReference, accountLastFour } = answer;
  return {
    amount,
    transferReference,
    ...(loanReference !== undefined && { loanReference }),
    ...(accountLastFour !== undefined && { accountLastFour }),
  };
}

function isSameAgain(journey: Journey, answer: LenderAnswer): boolean {
  switch (answer.kind) {
    case 'PAID': {
      const { payout, disbursedAt } = journey;
      return (
        payout !== null &&
        payout.amount === answer.amount &&
        payout.transferReference === answer.transferReference &&
        payout.loanReference === answer.loanReference &&
        disbursedAt?.getTime() === new Date(answer.paidAt).getTime()
      );
    }
    case 'REFUSED':
    case 'FAILED':
    case 'DECLINED':
      return journey.outcomeReason === 'DISBURSEMENT_FAILED';
    default:
      return false;
  }
}
