import { LenderUnavailable } from './lender-port.js';

/** The lender has the question, and does not know the answer yet. */
export class AnswerPending extends LenderUnavailable {
  constructor(askAgainInMs: number) {
    super('not known yet', { askAgainInMs });
    this.name = 'AnswerPending';
  }
}
