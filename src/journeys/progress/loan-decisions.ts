import { Injectable } from '@nestjs/common';
import { type LenderAnswer, LenderReferences, type WaitingAnswer } from '../../lenders/index.js';
import type { Tx } from '../../platform/index.js';
import { JourneyAudit } from '../store/journey-audit.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneyFeesRepository } from '../store/journey-fees.repository.js';
import { AnswerFlags } from './answer-flags.js';
import { JourneyMover } from './journey-mover.js';

type Waiting = WaitingAnswer;

export function decides({ kind }: LenderAnswer): boolean {
  return kind === 'SANCTIONED' || kind === 'DECLINED' || kind === 'REFUSED';
}

/** The step `DECISION`: the chosen lender's answer. */
@Injectable()
export class LoanDecisions {
  constructor(
    private readonly mover: JourneyMover,
    private readonly references: LenderReferences,
    private readonly fees: JourneyFeesRepository,
    private readonly audit: JourneyAudit,
    private readonly flags: AnswerFlags,
  ) {}

  /**
   * @param journey locked
   * @returns false for an answer that contradicts the recorded one
   */
  async apply(tx: Tx, journey: Journey, waiting: Waiting): Promise<boolean> {
    const { answer } = waiting;
    const isOpen = journey.state === 'DECISION_PENDING';
    switch (answer.kind) {
      case 'SANCTIONED':
        if (!isOpen) return journey.state === 'SANCTIONED';
        await this.mover.move(tx, journey, 'LOAN_SANCTIONED');
        await this.noteLoan(tx, journey, waiting, answer.reference);
        return true;
      case 'DECLINED':
      case 'REFUSED':
        if (!isOpen) return journey.state === 'REJECTED';
        await this.decline(tx, journey, waiting);
        return true;
      default:
        // Any other answer decides nothing.
        await this.flags.raise(tx, waiting, 'UNREADABLE_ANSWER', answer.kind, {
          answer: answer.kind,
        });
        return true;
    }
  }

  /**
   * A paid binding offer was not kept, so it is flagged. A lender that refused the question may not keep the
   * fee: that is no decision.
   */
  private async decline(tx: Tx, journey: Journey, waiting: Waiting): Promise<void> {
    const { kind: answer } = waiting.answer;
    const fee = await this.fees.current(tx, journey);
    if (!fee) throw new Error(`journey ${journey.id} has no fee`);
    const { redirectId, feeOnDecline } = fee;
    if (answer === 'REFUSED' && feeOnDecline === 'KEPT') {
      const waived = { feeOnDecline: 'REFUND' } as const;
      await this.fees.change(tx, fee, waived);
      const facts = { redirectId, ...waived };
      await this.audit.record(tx, journey, 'FEE_WAIVED', journey.state, facts);
    }
    const { selectedOfferId: offerId } = journey;
    const detail = { offerId, answer, feeOnDecline };
    await this.flags.raise(tx, waiting, 'OFFER_NOT_KEPT', answer, detail);
    await this.mover.move(tx, journey, 'LOAN_DECLINED');
  }

  /** The lender may name the loan by its own reference. */
  private noteLoan(
    tx: Tx,
    { id: subjectId, partnerId, applicationId }: Journey,
    { lenderCode }: Waiting,
    reference: string,
  ): Promise<void> {
    const known = { lenderCode, partnerId, subjectId, applicationId, isPayoutTold: false };
    return this.references.note(tx, { ...known, kind: 'LOAN', reference });
  }
}
