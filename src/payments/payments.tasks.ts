import { Injectable } from '@nestjs/common';
import {
  ClaimWorker,
  DuePoller,
  inChunks,
  isLoggedOutage,
  logFailure,
  ScheduledTask,
} from '../platform/index.js';
import { OrderProcessing } from './order-processing.js';
import { PaymentsUnavailable } from './payment-gateway.js';
import type { LeasedOrder, LeasedRefund } from './payment-order.js';
import { RefundProcessing } from './refunds/refund-processing.js';
import { PaymentOrdersRepository } from './store/payment-orders.repository.js';
import { PaymentRefundsRepository } from './store/payment-refunds.repository.js';
import { PaymentUpkeepRepository } from './store/payment-upkeep.repository.js';

const CLEAN_EVERY_MS = 10 * 60_000;
const ROWS_A_CHUNK = 1_000;

@Injectable()
export class PaymentsTasks {
  constructor(private readonly upkeep: PaymentUpkeepRepository) {}

  @ScheduledTask('payments-clean', CLEAN_EVERY_MS)
  async clean(): Promise<void> {
    await inChunks(0, (after) => this.upkeep.removeNotices(ROWS_A_CHUNK, after));
    await inChunks(0, (after) => this.upkeep.removeCallbacks(ROWS_A_CHUNK, after));
  }
}

const SLOTS = 24;
const REFUND_SLOTS = 4;

interface Leased {
  readonly id: string;
  readonly gateway: string | null;
}

/** Leases with a fencing token allow any number of replicas. */
abstract class GatewayWorker<Work extends Leased> extends ClaimWorker<Work> {
  protected abstract readonly subject: string;
  protected abstract readonly processing: { process(leased: Work): Promise<unknown> };

  protected async work(leased: Work): Promise<void> {
    try {
      await this.processing.process(leased);
    } catch (error) {
      const about = { [this.subject]: leased.id, gateway: leased.gateway };
      if (!(error instanceof PaymentsUnavailable)) logFailure(this.logger, error, about);
      else if (!isLoggedOutage(error)) this.logger.warn({ err: error, ...about });
    }
  }
}

@Injectable()
export class PaymentWorker extends GatewayWorker<LeasedOrder> {
  protected readonly subject = 'order';

  constructor(
    private readonly orders: PaymentOrdersRepository,
    protected readonly processing: OrderProcessing,
    poller: DuePoller,
  ) {
    super('payment-orders', SLOTS, poller, PaymentOrdersRepository.DUE);
    orders.arrivals.listen(() => this.wake());
  }

  protected claim(free: number): Promise<LeasedOrder[]> {
    return this.orders.claimDue(free);
  }
}

@Injectable()
export class RefundWorker extends GatewayWorker<LeasedRefund> {
  protected readonly subject = 'refund';

  constructor(
    private readonly refunds: PaymentRefundsRepository,
    protected readonly processing: RefundProcessing,
    poller: DuePoller,
  ) {
    super('payment-refunds', REFUND_SLOTS, poller, PaymentRefundsRepository.DUE);
    refunds.arrivals.listen(() => this.wake());
  }

  protected claim(free: number): Promise<LeasedRefund[]> {
    return this.refunds.claimDue(free);
  }
}
