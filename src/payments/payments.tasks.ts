import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
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

/** Leases with a fencing token allow any number of replicas. */
@Injectable()
export class PaymentWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(PaymentWorker.name);
  private readonly worker = new ClaimWorker({
    name: 'payment-orders',
    slots: SLOTS,
    claim: (free) => this.orders.claimDue(free),
    work: (order) => this.process(order),
  });

  constructor(
    private readonly orders: PaymentOrdersRepository,
    private readonly processing: OrderProcessing,
    poller: DuePoller,
  ) {
    orders.arrivals.listen(() => this.worker.wake());
    poller.watch(PaymentOrdersRepository.DUE, () => this.worker.wake());
  }

  onApplicationBootstrap(): void {
    this.worker.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.worker.stop();
  }

  private async process(order: LeasedOrder): Promise<void> {
    try {
      await this.processing.process(order);
    } catch (error) {
      const about = { order: order.id, gateway: order.gateway };
      if (!(error instanceof PaymentsUnavailable)) logFailure(this.logger, error, about);
      else if (!isLoggedOutage(error)) this.logger.warn({ err: error, ...about });
    }
  }
}

const REFUND_SLOTS = 4;

/** As `PaymentWorker`. */
@Injectable()
export class RefundWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(RefundWorker.name);
  private readonly worker = new ClaimWorker({
    name: 'payment-refunds',
    slots: REFUND_SLOTS,
    claim: (free) => this.refunds.claimDue(free),
    work: (refund) => this.process(refund),
  });

  constructor(
    private readonly refunds: PaymentRefundsRepository,
    private readonly processing: RefundProcessing,
    poller: DuePoller,
  ) {
    refunds.arrivals.listen(() => this.worker.wake());
    poller.watch(PaymentRefundsRepository.DUE, () => this.worker.wake());
  }

  onApplicationBootstrap(): void {
    this.worker.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.worker.stop();
  }

  private async process(refund: LeasedRefund): Promise<void> {
    try {
      await this.processing.process(refund);
    } catch (error) {
      const about = { refund: refund.id, gateway: refund.gateway };
      if (!(error instanceof PaymentsUnavailable)) logFailure(this.logger, error, about);
      else if (!isLoggedOutage(error)) this.logger.warn({ err: error, ...about });
    }
  }
}
