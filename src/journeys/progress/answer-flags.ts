import { Injectable } from '@nestjs/common';
import { answerAmount, type WaitingAnswer } from '../../lenders/index.js';
import { type Tx } from '../../platform/index.js';
import type { Journey } from '../store/journey.entity.js';
import { type FlagDetail, OperatorFlags } from '../../operator-flags/index.js';

type AnswerFlag =
  | 'LATE_ANSWER'
  | 'OFFER_NOT_KEPT'
  | 'UNREADABLE_ANSWER'
  | 'PAYOUT_DIFFERS'
  | 'OFFER_REVISED';

/** Flags never contain a lender's words about the applicant. */
@Injectable()
export class AnswerFlags {
  constructor(private readonly flags: OperatorFlags) {}

  raise<Kind extends AnswerFlag>(
    tx: Tx,
    waiting: WaitingAnswer,
    kind: Kind,
    cause: string,
    detail: FlagDetail<Kind>,
  ): Promise<void> {
    const { id, partnerId, subjectId, lenderCode } = waiting;
    const facts: FlagDetail<AnswerFlag> = {
      inboxId: id,
      lenderCode,
      kind: waiting.kind,
      ...detail,
    };
    return this.flags.raise<AnswerFlag, typeof facts>(tx, {
      partnerId,
      subjectId,
      kind,
      cause: [lenderCode, waiting.kind, cause],
      detail: facts,
    });
  }

  raiseLate(tx: Tx, waiting: WaitingAnswer, journey: Journey | null): Promise<void> {
    const { answer } = waiting;
    const facts = { answer: answer.kind, ...answerAmount(answer), state: journey?.state ?? null };
    return this.raise(tx, waiting, 'LATE_ANSWER', answer.kind, facts);
  }
}
