import { Module } from '@nestjs/common';
import { DueTimes } from '../platform/index.js';
import { SandboxPaymentCallbacks } from './sandbox-payment-callbacks.js';
import { SandboxPaymentPageController } from './sandbox-payment-page.controller.js';
import { SandboxPayments } from './sandbox-payments.js';
import { SandboxPaymentGateway } from './sandbox-payment.gateway.js';
import { SandboxPaymentsRepository } from './store/sandbox-payments.repository.js';

/** The simulated payment gateway: its adapter, its page and its callbacks. */
@Module({
  controllers: [SandboxPaymentPageController],
  providers: [SandboxPayments, SandboxPaymentGateway, SandboxPaymentCallbacks],
  exports: [SandboxPaymentGateway, SandboxPayments],
})
export class SandboxPaymentModule {
  constructor(times: DueTimes) {
    times.watch({ times: SandboxPaymentsRepository.TIMES });
  }
}
