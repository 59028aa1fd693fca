import { Module } from '@nestjs/common';
import { SandboxPaymentCallbacks } from './sandbox-payment-callbacks.js';
import { SandboxDueTimes } from './sandbox-due-times.js';
import { SandboxPaymentPageController } from './sandbox-payment-page.controller.js';
import { SandboxPayments } from './sandbox-payments.js';
import { SandboxPaymentGateway } from './sandbox-payment.gateway.js';

/** The simulated payment gateway: its adapter, its page and its callbacks. */
@Module({
  controllers: [SandboxPaymentPageController],
  providers: [SandboxPayments, SandboxPaymentGateway, SandboxPaymentCallbacks, SandboxDueTimes],
  exports: [SandboxPaymentGateway, SandboxPayments],
})
export class SandboxPaymentModule {}
