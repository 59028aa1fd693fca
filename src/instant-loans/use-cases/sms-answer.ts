import { Injectable, Logger } from '@nestjs/common';
import { SmsOutbox } from '../../messaging/index.js';
import { Database, Fault, logFailure } from '../../platform/index.js';
import { InstantLoansRepository } from '../store/instant-loans.repository.js';

/** Longer than the call waits for the SMS: after it the first call is over, however it ended. */
const IN_FLIGHT_SECONDS = 5;

/**
 * What `smsSent` answers. Whether the gateway has taken the SMS is only known after the transaction
 * that made the application is durable, so it stands in a column of its own, written once: the first
 * call and every replay of it answer the same.
 */
@Injectable()
export class SmsAnswer {
  private readonly logger = new Logger(SmsAnswer.name);

  constructor(
    private readonly database: Database,
    private readonly loans: InstantLoansRepository,
    private readonly smsOutbox: SmsOutbox,
  ) {}

  /** For the first call, after its commit: hands the SMS over, two seconds at most. */
  async settle(applicationId: string, smsId: string): Promise<boolean> {
    const isSent = await this.smsOutbox.handOver(smsId);
    try {
      return await this.loans.settleSms(applicationId, isSent);
    } catch (error) {
      // The application stands: the caller is told of it, whatever becomes of this column.
      logFailure(this.logger, error, { applicationId });
      return isSent;
    }
  }

  /**
   * For a replay: what the first call has answered, or, when it died before it could, how the SMS
   * stands now.
   * @throws Fault idempotency_in_flight while the first call is still handing the SMS over
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
