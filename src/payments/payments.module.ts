import { type DynamicModule, Module, type ModuleMetadata, type Provider } from '@nestjs/common';
import { ErasureModule } from '../erasure/index.js';
import { OrderFailures, OrderProcessing } from './order-processing.js';
import { PaymentOrders, PaymentPersonalData } from './payment-orders.js';
import { PaymentAudit } from './store/payment-audit.js';
import { PaymentCallbacks, PaymentCallbacksController } from './payment-callbacks.js';
import { PAYMENT_GATEWAYS, type PaymentGateway } from './payment-gateway.js';
import { PaymentGateways, PaymentMetrics } from './payment-gateways.js';
import { PaymentInbox, RefundInbox } from './store/payment-inbox.js';
import { PaymentLedger } from './payment-ledger.js';
import { PaymentOrdersRepository } from './store/payment-orders.repository.js';
import { PaymentUpkeepRepository } from './store/payment-upkeep.repository.js';
import { PaymentsRepository } from './store/payments.repository.js';
import { PaymentsTasks, PaymentWorker, RefundWorker } from './payments.tasks.js';
import { RazorpayGateway } from './razorpay/razorpay.gateway.js';
import { RefundFailures, RefundProcessing } from './refunds/refund-processing.js';
import { RefundLedger } from './refunds/refund-ledger.js';
import { Refunds } from './refunds/refunds.js';
import { PaymentRefundsRepository } from './store/payment-refunds.repository.js';
import { UnfinishedAccounts, UnsettledPayments } from './store/unsettled-payments.js';

interface GatewayBinding {
  readonly imports: NonNullable<ModuleMetadata['imports']>;
  readonly inject: (new (...parts: never[]) => PaymentGateway)[];
}

const RECORDS = [
  PaymentOrdersRepository,
  PaymentsRepository,
  PaymentRefundsRepository,
  PaymentAudit,
  PaymentInbox,
  Refunds,
  PaymentLedger,
  PaymentGateways,
  PaymentMetrics,
];
const SERVICES = [OrderFailures, OrderProcessing, PaymentOrders, PaymentPersonalData];

/** For the command line, which calls no gateway. */
@Module({
  imports: [ErasureModule],
  providers: [{ provide: PAYMENT_GATEWAYS, useValue: [] }, ...RECORDS, ...SERVICES],
  exports: [PaymentOrders, Refunds],
})
export class PaymentRecordsModule {}

@Module({ providers: [UnfinishedAccounts], exports: [UnfinishedAccounts] })
export class PaymentAccountsModule {}

@Module({})
export class PaymentsModule {
  static withGateways(binding: GatewayBinding): DynamicModule {
    const gateways: Provider = {
      provide: PAYMENT_GATEWAYS,
      useFactory: (...bound: PaymentGateway[]) => bound,
      inject: binding.inject,
    };
    return {
      module: PaymentsModule,
      global: true,
      imports: [ErasureModule, ...binding.imports],
      controllers: [PaymentCallbacksController],
      providers: [
        RazorpayGateway,
        gateways,
        ...RECORDS,
        ...SERVICES,
        RefundInbox,
        UnsettledPayments,
        RefundLedger,
        RefundFailures,
        RefundProcessing,
        RefundWorker,
        PaymentCallbacks,
        PaymentWorker,
        PaymentUpkeepRepository,
        PaymentsTasks,
      ],
      exports: [PaymentOrders, PaymentInbox, Refunds, RefundInbox, UnsettledPayments],
    };
  }
}
