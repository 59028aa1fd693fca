export { RESERVED_PANS, type Scenario, SCENARIO_BODIES, SCENARIOS } from './reserved-pans.js';
export {
  SandboxModule,
  SandboxPaymentModule,
  SandboxRecordsModule,
  SmsInboxModule,
  SmsInboxPageModule,
} from './sandbox.module.js';
export { SandboxLender } from './sandbox-lender.js';
export { SmsInboxGateway } from './sms-inbox.controller.js';
export { SandboxPayments } from './sandbox-payments.js';
export { SandboxPaymentGateway } from './sandbox-payment.gateway.js';
export { SANDBOX_ENTITIES } from './store/sandbox-payments.repository.js';
export { TimeTravel, type Travelled } from './time-travel.js';
export { readSandboxTime } from './sandbox-time.controller.js';
export { SandboxTime } from './sandbox-clock-news.js';
export { installSandboxClock, SANDBOX_KEPT } from './store/sandbox-clock.repository.js';
