import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { ClaimWorker, DuePoller, isToldOutage, logFailure } from '../platform/index.js';
import { OrderProcessing } from './order-processing.js';
import { PaymentsUnavailable } from './payment-gateway.js';
import type { LeasedOrder } from './payment-order.js';
import { PaymentOrdersRepository } from './store/payment-orders.repository.js';

const SLOTS = 24;

/**
 * Attends to the orders that are due: pages to be opened or closed, and those whose callback never
 * came. Each under a lease with a fencing token, so any number of replicas share the work; one that
 * is killed leaves a lease that runs out.
 */
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
      else if (!isToldOutage(error)) this.logger.warn({ err: error, ...about });
    }
  }
}
