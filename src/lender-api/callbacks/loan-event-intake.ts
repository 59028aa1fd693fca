import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/index.js';
import { notAsked } from './callback-refused.js';
import { MessageLog } from './message-log.js';
import { OwnApplications, ownLoans } from './own-applications.js';
import type { ReadOf } from './read-callback.js';

@Injectable()
export class LoanEventIntake {
  constructor(
    private readonly applications: OwnApplications,
    private readonly log: MessageLog,
  ) {}

  async take(tx: Tx, lenderCode: string, callback: ReadOf<'LOAN_EVENTS'>): Promise<void> {
    const { id: messageId, body, told } = callback;
    const { applicationId, loanReference, event, happenedAt, amount } = body;
    const own = await this.applications.find(tx, lenderCode, [applicationId]);
    const application = own.get(applicationId);
    if (!application) throw notAsked('application');
    const loan = { application, loanReference };
    if ((await this.applications.strangers(tx, lenderCode, [loan])).length > 0) {
      throw notAsked('loan');
    }
    const { partnerId, subjectId } = application;
    const loans = ownLoans(application);
    // A loan beside the known one: paid out twice.
    const isOther = loans.length > 0 && !loans.includes(loanReference);
    const about = { lenderCode, partnerId, subjectId };
    const message = { ...about, kind: 'LOAN_EVENT', messageId, told } as const;
    const cause = isOther ? [event, 'OF_ANOTHER_LOAN'] : [event];
    await this.log.keepAndFlag(tx, message, body, 'LOAN_EVENT', cause, {
      event,
      happenedAt,
      ...(amount !== undefined && { amount }),
      ...(isOther && { isOfAnotherLoan: true }),
    });
  }
}
