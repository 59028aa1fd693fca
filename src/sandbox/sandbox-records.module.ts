import { Global, Module } from '@nestjs/common';
import { LENDER_CONNECTOR_RECORDS } from '../lenders/index.js';
import { SMS_GATEWAY_RECORDS } from '../messaging/index.js';
import { PAYMENT_GATEWAY_RECORDS } from '../payments/index.js';
import { SandboxPaymentsRepository } from './store/sandbox-payments.repository.js';
import { SandboxSessionsRepository } from './store/sandbox-sessions.repository.js';
import { SandboxSmsRepository } from './store/sandbox-sms.repository.js';

/**
 * What the simulated gateways remember, bound to the ports through which it is erased: of the service
 * and of the command line.
 */
@Global()
@Module({
  providers: [
    SandboxSmsRepository,
    SandboxPaymentsRepository,
    SandboxSessionsRepository,
    { provide: LENDER_CONNECTOR_RECORDS, useExisting: SandboxSessionsRepository },
    { provide: SMS_GATEWAY_RECORDS, useExisting: SandboxSmsRepository },
    { provide: PAYMENT_GATEWAY_RECORDS, useExisting: SandboxPaymentsRepository },
  ],
  exports: [
    SandboxSmsRepository,
    SandboxPaymentsRepository,
    SandboxSessionsRepository,
    LENDER_CONNECTOR_RECORDS,
    SMS_GATEWAY_RECORDS,
    PAYMENT_GATEWAY_RECORDS,
  ],
})
export class SandboxRecordsModule {}
