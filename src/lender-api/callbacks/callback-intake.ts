import { Injectable } from '@nestjs/common';
import { Database, type RawRequest, type Tx } from '../../platform/index.js';
import { CallLimits } from '../client/call-limits.js';
import type { CallbackName } from '../protocol/callbacks.js';
import { LenderRequestIdsRepository } from '../store/lender-messages.repository.js';
import { AnswerIntake } from './answer-intake.js';
import {
  CallbackRefused,
  notAsked,
  type ReadCallback,
  readCallback,
  type ReadOf,
} from './read-callback.js';
import type { KnownSender } from './callback-sender.js';
import { MessageLog } from './message-log.js';
import { OfferRevisionIntake } from './offer-revision-intake.js';
import { OwnApplications, ownLoans } from './own-applications.js';
import { StatementIntake } from './statement-intake.js';

@Injectable()
export class LoanEventIntake {
  constructor(
    private readonly applications: OwnApplications,
    private readonly log: MessageLog,
  ) {}

  async take(tx: Tx, lenderCode: string, callback: ReadOf<'LOAN_EVENTS'>): Promise<void> {
    const { id: messageId, body, json } = callback;
    const { applicationId, loanReference, event, happenedAt, amount } = body;
    const own = await this.applications.find(tx, lenderCode, [applicationId]);
    const application = own.get(applicationId);
    if (!application) throw notAsked('application');
    const loan = { application, loanReference };
    if ((await this.applications.foreignLoans(tx, lenderCode, [loan])).length > 0) {
      throw notAsked('loan');
    }
    const { partnerId, subjectId } = application;
    const loans = ownLoans(application);
    // The application was paid out twice.
    const isOther = loans.length > 0 && !loans.includes(loanReference);
    const about = { lenderCode, partnerId, subjectId };
    const message = { ...about, kind: 'LOAN_EVENT', messageId, json } as const;
    const cause = isOther ? [event, 'OF_ANOTHER_LOAN'] : [event];
    await this.log.keepAndFlag(tx, message, body, 'LOAN_EVENT', cause, {
      event,
      happenedAt,
      ...(amount !== undefined && { amount }),
      ...(isOther && { isOfAnotherLoan: true }),
    });
  }
}

/** Per lender and replica: one lender cannot block the others. */
const LIMITS = { callsPerSecond: 50, callsAtOnce: 20 };

@Injectable()
export class CallbackIntake {
  private readonly limits = new Map<string, CallLimits>();

  constructor(
    private readonly database: Database,
    private readonly requestIds: LenderRequestIdsRepository,
    private readonly answers: AnswerIntake,
    private readonly revisions: OfferRevisionIntake,
    private readonly loanEvents: LoanEventIntake,
    private readonly statements: StatementIntake,
  ) {}

  /**
   * @returns the message's id, once it is durable
   * @throws CallbackRefused
   */
  async take(name: CallbackName, sender: KnownSender, request: RawRequest): Promise<string> {
    const limits = this.limitsOf(sender.lenderCode);
    const waitMs = limits.take(LIMITS, 'WAITED_FOR');
    if (waitMs > 0) {
      throw new CallbackRefused('too_many_requests', undefined, Math.ceil(waitMs / 1_000));
    }
    try {
      return await this.takeOnce(name, sender, request);
    } finally {
      limits.release();
    }
  }

  private async takeOnce(
    name: CallbackName,
    { lenderCode, jti }: KnownSender,
    request: RawRequest,
  ): Promise<string> {
    if (!(await this.requestIds.use(lenderCode, jti))) {
      throw new CallbackRefused('request_replayed');
    }
    const callback = readCallback(name, request);
    await this.database.transaction((tx) => this.takeIn(tx, lenderCode, callback));
    return callback.id;
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

  private limitsOf(lenderCode: string): CallLimits {
    const limits = this.limits.get(lenderCode) ?? new CallLimits(() => performance.now());
    this.limits.set(lenderCode, limits);
    return limits;
  }
}
