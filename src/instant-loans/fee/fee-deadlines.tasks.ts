import { Injectable, Logger } from '@nestjs/common';
import {
  type DueFee,
  EXPIRED_FEES,
  JourneyFeesRepository,
  JourneysRepository,
} from '../../journeys/index.js';
import { UnpaidFees } from './fee-tries.js';
import { PaymentOrders } from '../../payments/index.js';
import {
  Database,
  DuePoller,
  logFailure,
  ScheduledTask,
  takeInTurn,
  type Tx,
  UNWOKEN_MS,
} from '../../platform/index.js';

const MAX_PER_PASS = 500;

/** Row locks make it safe on any number of replicas. */
@Injectable()
export class FeeDeadlinesTasks {
  private readonly logger = new Logger(FeeDeadlinesTasks.name);

  constructor(
    private readonly database: Database,
    private readonly journeys: JourneysRepository,
    private readonly fees: JourneyFeesRepository,
    private readonly payments: PaymentOrders,
    private readonly unpaid: UnpaidFees,
    poller: DuePoller,
  ) {
    poller.watch(EXPIRED_FEES, () => void this.run());
  }

  @ScheduledTask('fee-deadlines', UNWOKEN_MS)
  run(): Promise<void> {
    return takeInTurn(this.database, {
      max: MAX_PER_PASS,
      claim: (tx, passedOver) => this.fees.claimExpired(tx, passedOver),
      work: (tx, due) => this.end(tx, due),
      onFailure: (error, { id }) => logFailure(this.logger, error, { journeyId: id }),
    });
  }

  /** Closes an open page first: a last-moment payment wins, and the notice of its end decides. */
  private async end(tx: Tx, { partnerId, id, redirectId }: DueFee): Promise<void> {
    const journey = await this.journeys.lock(tx, partnerId, id);
    const fee = journey && (await this.fees.find(tx, partnerId, redirectId));
    if (!fee || !(await this.fees.isExpired(tx, fee))) return;
    await this.fees.callOff(tx, fee);
    if (fee.orderId !== null) await this.payments.cancel(tx, fee.orderId);
    else if (journey.state === 'FEE_PENDING' && journey.redirectId === redirectId) {
      await this.unpaid.end(tx, journey);
    }
  }
}
