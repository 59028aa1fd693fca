import { Injectable, Logger } from '@nestjs/common';
import {
  SETTLEMENT_TIMES,
  type UnsettledPayment,
  UnsettledPayments,
} from '../../payments/index.js';
import {
  Database,
  DueTimes,
  logFailure,
  ScheduledTask,
  takeInTurn,
  type Tx,
} from '../../platform/index.js';
import { FeeSettlement } from '../fee/fee-settlement.js';

const EVERY_MS = 2_000;
const MAX_PER_PASS = 500;

/**
 * Settles each payment once kept or refunded, and requests a missing refund: the last check for a
 * lost payment. Each is claimed by its row lock, on any number of replicas.
 */
@Injectable()
export class SettlementTasks {
  private readonly logger = new Logger(SettlementTasks.name);

  constructor(
    private readonly database: Database,
    private readonly payments: UnsettledPayments,
    private readonly fees: FeeSettlement,
    times: DueTimes,
  ) {
    times.watch({ times: SETTLEMENT_TIMES, run: () => this.run() });
  }

  @ScheduledTask('fee-settlement', EVERY_MS)
  run(): Promise<void> {
    return takeInTurn(this.database, {
      max: MAX_PER_PASS,
      claim: (tx, passedOver) => this.payments.claim(tx, passedOver),
      work: (tx, payment) => this.settle(tx, payment),
      onFailure: (error, { id, subjectId }) =>
        logFailure(this.logger, error, { paymentId: id, subjectId }),
    });
  }

  private settle(tx: Tx, payment: UnsettledPayment): Promise<void> {
    return payment.isRefunded ? this.payments.settle(tx, payment) : this.fees.settle(tx, payment);
  }
}
