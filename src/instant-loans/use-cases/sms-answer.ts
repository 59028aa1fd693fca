import { Injectable, Logger } from '@nestjs/common';
import { SmsOutbox } from '../../messaging/index.js';
import { Database, Fault, logFailure } from '../../platform/index.js';
import { InstantLoansRepository } from '../store/instant-loans.repository.js';

/** Longer than the call waits for the SMS. */
const IN_FLIGHT_SECONDS = 5;

/**
 * `smsSent` is known only after the commit, so it has a column of its own, written once: every
 * replay returns the same.
 */
@Injectable()
export class SmsAnswer {
  private readonly logger = new Logger(SmsAnswer.name);

  constructor(
    private readonly database: Database,
    private readonly loans: InstantLoansRepository,
    private readonly smsOutbox: SmsOutbox,
  ) {}

  /** After the commit; two seconds at most. */
  async settle(applicationId: string, smsId: string): Promise<boolean> {
    const isSent = await this.smsOutbox.handOver(smsId);
    try {
      return await this.loans.settleSms(applicationId, isSent);
    } catch (error) {
      // The application exists whatever becomes of this column.
      logFailure(this.logger, error, { applicationId });
      return isSent;
    }
  }

  /**
   * The first call's answer, or the SMS's state if that call died.
   * @throws Fault idempotency_in_flight while the first call is running
   */
  async replay(applicationId: string): Promise<boolean> {
    const state = await this.loans.smsState(applicationId, IN_FLIGHT_SECONDS);
    if (!state) throw new Error(`there is no application ${applicationId}`);
    const { isSmsSent, mayBeInFlight, smsId } = state;
    if (isSmsSent !== null) return isSmsSent;
    if (mayBeInFlight) throw new Fault('idempotency_in_flight', { retryAfterSeconds: 2 });
    const isSent = await this.database.transaction((tx) => this.smsOutbox.isHandedOver(tx, smsId));
    return this.loans.settleSms(applicationId, isSent);
  }
}
