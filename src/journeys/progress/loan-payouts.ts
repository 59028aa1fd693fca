import { Injectable } from '@nestjs/common';
import {
  type LenderAnswer,
  LenderPayouts,
  LenderReferences,
  type WaitingAnswer,
} from '../../lenders/index.js';
import { Clock, SystemClock, type Tx } from '../../platform/index.js';
import type { Journey } from '../store/journey.entity.js';
import { AnswerFlags } from './answer-flags.js';
import { ApplicantFiles } from './applicant-file.js';
import { JourneyMover } from './journey-mover.js';

const DAY_MS = 86_400_000;

type PaidAnswer = Extract<LenderAnswer, { kind: 'PAID' }>;

@Injectable()
export class LoanPayouts {
  constructor(
    private readonly mover: JourneyMover,
    private readonly references: LenderReferences,
    private readonly applicants: ApplicantFiles,
    private readonly payouts: LenderPayouts,
    private readonly flags: AnswerFlags,
    private readonly clock: Clock,
    private readonly machine: SystemClock,
  ) {}

  /**
   * Any answer but a payout is pending, never a failure.
   * @param journey locked
   * @returns false for an answer that contradicts the recorded one
   */
  async apply(tx: Tx, journey: Journey, waiting: WaitingAnswer): Promise<boolean> {
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
    { lenderCode, partnerId, subjectId }: WaitingAnswer,
    answer: PaidAnswer,
  ): Promise<void> {
    const { amount, transferReference, loanReference, accountLastFour } = answer;
    const payout = { amount, transferReference, loanReference, accountLastFour };
    const { applicationId } = journey;
    const disbursedAt = this.timeOf(answer.paidAt);
    await this.mover.move(tx, journey, 'PAID_OUT', { disbursedAt, payout });
    await this.payouts.note(tx, {
      lenderCode,
      applicationId,
      amount,
      utr: transferReference,
      paidAt: disbursedAt,
    });
    if (loanReference === undefined) return;
    await this.references.note(tx, {
      lenderCode,
      kind: 'LOAN',
      reference: loanReference,
      isPayoutReported: true,
      partnerId,
      subjectId,
      applicationId,
    });
  }

  /** The money is already paid out, so a wrong amount, account or day is only flagged. */
  private async comparePayout(
    tx: Tx,
    journey: Journey,
    waiting: WaitingAnswer,
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
