import { Injectable } from '@nestjs/common';
import { Database, type RawRequest, type Tx } from '../../platform/index.js';
import { CallLimits } from '../client/call-limits.js';
import type { CallbackName } from '../protocol/callbacks.js';
import { LenderRequestIdsRepository } from '../store/lender-request-ids.repository.js';
import { AnswerIntake } from './answer-intake.js';
import { CallbackRefused } from './callback-refused.js';
import type { KnownSender } from './callback-sender.js';
import { LoanEventIntake } from './loan-event-intake.js';
import { OfferRevisionIntake } from './offer-revision-intake.js';
import { type ReadCallback, readCallback } from './read-callback.js';
import { StatementIntake } from './statement-intake.js';

/** Of each lender, on one replica: one lender cannot block the others. */
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
   * @returns the message's id, once the message is durable
   * @throws CallbackRefused
   */
  async take(name: CallbackName, sender: KnownSender, request: RawRequest): Promise<string> {
    const limits = this.limitsOf(sender.lenderCode);
    const waitMs = limits.take(LIMITS, true);
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
