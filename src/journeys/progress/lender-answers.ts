import { Injectable } from '@nestjs/common';
import { isRedirectStep, type RedirectStep } from '../../journey-steps/index.js';
import {
  type ArrivedAnswer,
  type LenderAnswer,
  LenderInbox,
  LenderReferences,
  type QuestionKind,
  QuestionOutbox,
  type WaitingAnswer,
} from '../../lenders/index.js';
import type { Tx } from '../../platform/index.js';
import { StepVerdict } from '../redirects/step-verdict.js';
import { JourneyAudit } from '../store/journey-audit.js';
import { JourneyFeesRepository } from '../store/journey-fees.repository.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { AnswerFlags } from './answer-flags.js';
import { JourneyMover } from './journey-mover.js';
import { LoanPayouts } from './loan-payouts.js';

function decides({ kind }: LenderAnswer): boolean {
  return kind === 'SANCTIONED' || kind === 'DECLINED' || kind === 'REFUSED';
}

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
  async apply(tx: Tx, journey: Journey, waiting: WaitingAnswer): Promise<boolean> {
    const { answer } = waiting;
    const isOpen = journey.state === 'DECISION_PENDING';
    switch (answer.kind) {
      case 'SANCTIONED':
        if (!isOpen) return this.isSameLoan(tx, journey, waiting, answer.reference);
        await this.mover.move(tx, journey, 'LOAN_SANCTIONED');
        await this.noteLoan(tx, journey, waiting, answer.reference);
        return true;
      case 'DECLINED':
      case 'REFUSED':
        if (!isOpen) return journey.state === 'REJECTED';
        await this.decline(tx, journey, waiting);
        return true;
      default:
        await this.flags.raise(tx, waiting, 'UNREADABLE_ANSWER', answer.kind, {
          answer: answer.kind,
        });
        return true;
    }
  }

  /**
   * Flagged, since the lender broke a paid binding offer. A lender that rejected the question made no decision, so it
   * keeps no fee.
   */
  private async decline(tx: Tx, journey: Journey, waiting: WaitingAnswer): Promise<void> {
    const { kind: answer } = waiting.answer;
    const fee = await this.fees.current(tx, journey);
    if (!fee) throw new Error(`journey ${journey.id} has no fee`);
    const { redirectId, feeOnDecline } = fee;
    if (answer === 'REFUSED' && feeOnDecline === 'KEPT') {
      const waived = { feeOnDecline: 'REFUND' } as const;
      await this.fees.change(tx, fee, waived);
      const facts = { redirectId, ...waived };
      await this.audit.record(tx, journey, 'FEE_WAIVED', facts);
    }
    const { selectedOfferId: offerId } = journey;
    const detail = { offerId, answer, feeOnDecline };
    await this.flags.raise(tx, waiting, 'OFFER_NOT_KEPT', answer, detail);
    await this.mover.move(tx, journey, 'LOAN_DECLINED');
  }

  /** Another reference is another loan: the lender may have lent twice. */
  private async isSameLoan(
    tx: Tx,
    { state, applicationId }: Journey,
    { lenderCode }: WaitingAnswer,
    reference: string,
  ): Promise<boolean> {
    if (state !== 'SANCTIONED') return false;
    const known = await this.references.ofApplications(tx, lenderCode, [applicationId]);
    return known.some((one) => one.kind === 'LOAN' && one.reference === reference);
  }

  private noteLoan(
    tx: Tx,
    { id: subjectId, partnerId, applicationId }: Journey,
    { lenderCode }: WaitingAnswer,
    reference: string,
  ): Promise<void> {
    const known = { lenderCode, partnerId, subjectId, applicationId, isPayoutReported: false };
    return this.references.note(tx, { ...known, kind: 'LOAN', reference });
  }
}

type Waiting = WaitingAnswer<Exclude<QuestionKind, 'OFFERS'>>;

/**
 * Applies an answer to a question after the offers, in the transaction that holds the inbox row. A late answer is
 * only flagged.
 */
@Injectable()
export class LenderAnswers {
  constructor(
    private readonly inbox: LenderInbox,
    private readonly journeys: JourneysRepository,
    private readonly verdicts: StepVerdict,
    private readonly decisions: LoanDecisions,
    private readonly questionOutbox: QuestionOutbox,
    private readonly payouts: LoanPayouts,
    private readonly flags: AnswerFlags,
  ) {}

  async receive(tx: Tx, received: ArrivedAnswer & { readonly kind: RedirectStep }): Promise<void> {
    await this.inbox.receive(tx, received);
    const waiting = await this.inbox.takeOne(tx, received);
    if (waiting) await this.apply(tx, waiting);
  }

  async apply(tx: Tx, waiting: Waiting): Promise<void> {
    const journey = await this.journeys.lock(tx, waiting.partnerId, waiting.subjectId);
    // The lender of a paid loan is asked until it decides.
    if (waiting.kind !== 'DECISION' || decides(waiting.answer)) {
      await this.questionOutbox.markAnswered(tx, waiting);
    }
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
      : this.payouts.apply(tx, journey, waiting);
  }
}
