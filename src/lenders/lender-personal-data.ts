import { Injectable } from '@nestjs/common';
import { type LoanKey, type PersonalDataHolder, PersonalDataRegistry } from '../erasure/index.js';
import { Keyring, type Tx } from '../platform/index.js';
import type { QuestionPayload } from './lender-port.js';
import { PAYLOAD_PURPOSE } from './question-outbox.js';
import { LenderInboxRepository } from './store/lender-inbox.repository.js';
import { LenderQuestionsRepository } from './store/lender-questions.repository.js';

/** What the questions to lenders and their answers say of applicants. */
@Injectable()
export class LenderPersonalData implements PersonalDataHolder {
  readonly order = 3;

  readonly personalColumns = [
    ...LenderQuestionsRepository.PERSONAL_COLUMNS,
    ...LenderInboxRepository.PERSONAL_COLUMNS,
  ];

  constructor(
    registry: PersonalDataRegistry,
    private readonly keyring: Keyring,
    private readonly questions: LenderQuestionsRepository,
    private readonly inbox: LenderInboxRepository,
  ) {
    registry.registerRecords(this);
  }

  /**
   * Nothing is asked any more, but for a withdrawal: the lender knows whom it means by its own
   * reference. An answer that has not been processed yet is not lost.
   */
  async erase(tx: Tx, { partnerId, id }: LoanKey): Promise<number> {
    const withdrawals = await this.questions.lockOpenWithdrawals(tx, partnerId, id);
    for (const { id: questionId, payloadSealed } of withdrawals) {
      await this.questions.replacePayload(tx, questionId, this.withoutApplicant(payloadSealed));
    }
    const questions = await this.questions.erase(tx, partnerId, id);
    const answers = await this.inbox.erase(tx, partnerId, id);
    return questions + answers;
  }

  private withoutApplicant(sealed: string): string {
    const { productCode, loanAmount, offerReference } = JSON.parse(
      this.keyring.open(sealed, PAYLOAD_PURPOSE),
    ) as QuestionPayload;
    const left: QuestionPayload = {
      productCode,
      loanAmount,
      applicant: { mobile: '', pan: '' },
      ...(offerReference !== undefined && { offerReference }),
    };
    return this.keyring.seal(JSON.stringify(left), PAYLOAD_PURPOSE);
  }
}
