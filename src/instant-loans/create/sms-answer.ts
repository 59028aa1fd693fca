import { Injectable, Logger } from '@nestjs/common';
import { SmsDesk } from '../../messaging/index.js';
import { Database, Fault, logFailure } from '../../platform/index.js';

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
    private readonly desk: SmsDesk,
  ) {}

  /** For the first call, after its commit: hands the SMS over, two seconds at most. */
  async settle(applicationId: string, smsId: string): Promise<boolean> {
    const isSent = await this.desk.handOver(smsId);
    try {
      return await this.keep(applicationId, isSent);
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
    const [row] = await this.database.query<{
      isSmsSent: boolean | null;
      smsId: string;
      mayBeInFlight: boolean;
    }>(
      `SELECT is_sms_sent AS "isSmsSent", sms_id AS "smsId",
         created_at > app_now() - $2 * interval '1 second' AS "mayBeInFlight"
       FROM instant_loans WHERE id = $1`,
      [applicationId, IN_FLIGHT_SECONDS],
    );
    if (!row) throw new Error(`there is no application ${applicationId}`);
    if (row.isSmsSent !== null) return row.isSmsSent;
    if (row.mayBeInFlight) throw new Fault('idempotency_in_flight', { retryAfterSeconds: 2 });
    const isSent = await this.database.transaction((tx) => this.desk.isHandedOver(tx, row.smsId));
    return this.keep(applicationId, isSent);
  }

  /** The first who knows decides; who comes later answers the same. */
  private async keep(applicationId: string, isSent: boolean): Promise<boolean> {
    const [row] = await this.database.query<{ isSmsSent: boolean }>(
      `UPDATE instant_loans SET is_sms_sent = coalesce(is_sms_sent, $2) WHERE id = $1
       RETURNING is_sms_sent AS "isSmsSent"`,
      [applicationId, isSent],
    );
    return row?.isSmsSent ?? isSent;
  }
}
