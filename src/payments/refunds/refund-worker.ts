import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { ClaimWorker, DuePoller, isToldOutage, logFailure } from '../../platform/index.js';
import { PaymentsUnavailable } from '../payment-gateway.js';
import { PaymentRefundsRepository } from '../store/payment-refunds.repository.js';
import type { LeasedRefund } from '../refund.js';
import { RefundProcessing } from './refund-processing.js';

const SLOTS = 4;

/** Leases with a fencing token allow any number of replicas; a killed one's lease expires. */
@Injectable()
export class RefundWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(RefundWorker.name);
  private readonly worker = new ClaimWorker({
    name: 'payment-refunds',
    slots: SLOTS,
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
      else if (!isToldOutage(error)) this.logger.warn({ err: error, ...about });
    }
  }
}
