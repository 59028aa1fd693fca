export { RESERVED_PANS, type ReservedPan } from './reserved-pans.js';
export { SandboxRecordsModule } from './sandbox-records.module.js';
export { SandboxLender } from './sandbox-lender.js';
export {
  SandboxModule,
  SandboxPaymentModule,
  SmsInboxModule,
  SmsInboxPageModule,
} from './sandbox.module.js';
export { SmsInboxGateway } from './sms-inbox.gateway.js';
export { SandboxPayments } from './sandbox-payments.js';
export { SandboxPaymentGateway } from './sandbox-payment.gateway.js';
export { SANDBOX_ENTITIES } from './store/sandbox-entities.js';
export { TimeTravel, type Travelled } from './time-travel.js';
export { readSandboxTime } from './sandbox-time.api.js';
export { SandboxTime } from './sandbox-time.js';
export { installSandboxClock } from './store/sandbox-clock.repository.js';
