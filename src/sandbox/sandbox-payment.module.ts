import { Module } from '@nestjs/common';
import { SandboxPaymentCallbacks } from './payment-callback.sender.js';
import { SandboxPaymentPageController } from './payment-page.controller.js';
import { SandboxPayments } from './payment-records.js';
import { SandboxPaymentGateway } from './payment.gateway.js';

/** The simulated payment gateway: its adapter, its page and its callbacks. */
@Module({
  controllers: [SandboxPaymentPageController],
  providers: [SandboxPayments, SandboxPaymentGateway, SandboxPaymentCallbacks],
  exports: [SandboxPaymentGateway],
})
export class SandboxPaymentModule {}
