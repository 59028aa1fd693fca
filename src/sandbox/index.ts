export { SandboxRecordsModule } from './sandbox-records.module.js';
export { SandboxLender } from './sandbox-lender.js';
export { SandboxModule } from './sandbox.module.js';
export { SmsInboxGateway } from './sms-inbox.gateway.js';
export { SmsInboxModule, SmsInboxPageModule } from './sms-inbox.module.js';
export { SandboxPaymentModule } from './sandbox-payment.module.js';
export { SandboxPaymentGateway } from './payment.gateway.js';
export { SANDBOX_ENTITIES } from './store/sandbox-entities.js';
