import { Injectable } from '@nestjs/common';
import { Database, type Tx } from '../../platform/index.js';
import { AnswerIntake } from './answer-intake.js';
import { LoanEventIntake } from './loan-event-intake.js';
import { OfferRevisionIntake } from './offer-revision-intake.js';
import type { ReadCallback } from './read-callback.js';
import { StatementIntake } from './statement-intake.js';

/** Takes lenders' messages in, each in one transaction: it is durable once `take` has returned. */
@Injectable()
export class CallbackIntake {
  constructor(
    private readonly database: Database,
    private readonly answers: AnswerIntake,
    private readonly revisions: OfferRevisionIntake,
    private readonly loanEvents: LoanEventIntake,
    private readonly statements: StatementIntake,
  ) {}

  /** @throws CallbackRefused not_found, key_reused, invalid_request */
  take(lenderCode: string, callback: ReadCallback): Promise<void> {
    return this.database.transaction((tx) => this.takeIn(tx, lenderCode, callback));
  }

  private takeIn(tx: Tx, lenderCode: string, callback: ReadCallback): Promise<void> {
    switch (callback.name) {
      case 'ANSWERS':
        return this.answers.take(tx, lenderCode, callback);
      case 'OFFER_REVISIONS':
        return this.revisions.take(tx, lenderCode, callback);
      case 'LOAN_EVENTS':
        return this.loanEvents.take(tx, lenderCode, callback);
      case 'STATEMENTS':
        return this.statements.take(tx, lenderCode, callback);
    }
  }
}
