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

/** Leases with a fencing token allow any number of replicas; a killed one's lease expires. */
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
