import { Injectable } from '@nestjs/common';
import { isRedirectStep, type RedirectStep } from '../../journey-steps/index.js';
import {
  type ArrivedAnswer,
  type QuestionKind,
  LenderInbox,
  QuestionOutbox,
  type WaitingAnswer,
} from '../../lenders/index.js';
import type { Tx } from '../../platform/index.js';
import { AnswerFlags } from './answer-flags.js';
import type { Journey } from '../store/journey.entity.js';
import { decides, LoanDecisions } from './loan-decisions.js';
import { LoanPayouts } from './loan-payouts.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { StepVerdict } from '../redirects/step-verdict.js';

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
    private readonly payouts: LoanPayouts,
    private readonly flags: AnswerFlags,
  ) {}

  /** Puts a synchronous answer into the inbox and applies it. */
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
