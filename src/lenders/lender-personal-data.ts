import { Injectable } from '@nestjs/common';
import { type LoanKey, type PersonalDataHolder, PersonalDataRegistry } from '../erasure/index.js';
import type { Tx } from '../platform/index.js';
import { barePayload, type QuestionPayload } from './question-payload.js';
import { LenderInboxRepository } from './store/lender-inbox.repository.js';
import { LenderQuestionsRepository } from './store/lender-questions.repository.js';
import { QuestionOutbox } from './store/question-outbox.js';

const ERASURE = 'ERASURE';

@Injectable()
export class LenderPersonalData implements PersonalDataHolder {
  readonly order = 3;

  readonly personalColumns = [
    ...LenderQuestionsRepository.PERSONAL_COLUMNS,
    ...LenderInboxRepository.PERSONAL_COLUMNS,
  ];

  constructor(
    registry: PersonalDataRegistry,
    private readonly questions: LenderQuestionsRepository,
    private readonly inbox: LenderInboxRepository,
    private readonly questionOutbox: QuestionOutbox,
  ) {
    registry.registerRecords(this);
  }

  /**
   * Stops all questions except open withdrawals, which keep only the lender's reference. Notifies every lender that
   * knows the applicant. Keeps unprocessed answers.
   */
  async erase(tx: Tx, { partnerId, id }: LoanKey): Promise<number> {
    const withdrawals = await this.questions.lockOpenWithdrawals(tx, partnerId, id);
    for (const { id: questionId, payloadSealed } of withdrawals) {
      await this.questions.replacePayload(
        tx,
        questionId,
        this.questionOutbox.sealPayload(this.bare(payloadSealed)),
      );
    }
    const asked = await this.questions.newestAskedOf(tx, partnerId, id);
    const questions = await this.questions.erase(tx, partnerId, id);
    const answers = await this.inbox.erase(tx, partnerId, id);
    await this.questionOutbox.putAll(
      tx,
      asked.map(({ lenderCode, payloadSealed }) => ({
        partnerId,
        subjectId: id,
        lenderCode,
        kind: 'WITHDRAWAL',
        reference: ERASURE,
        payload: { ...this.bare(payloadSealed), withdrawal: { reason: ERASURE } },
      })),
    );
    return questions + answers;
  }

  private bare(sealed: string): QuestionPayload {
    return barePayload(this.questionOutbox.openPayload(sealed));
  }
}
