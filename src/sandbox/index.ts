export { SandboxLender } from './sandbox-lender.js';
export { SandboxModule } from './sandbox.module.js';
export { SandboxSmsRow } from './sandbox-sms.entity.js';
export { SmsInboxGateway } from './sms-inbox.gateway.js';
export { SmsInboxModule, SmsInboxPageModule } from './sms-inbox.module.js';
export { SandboxPaymentRow } from './sandbox-payment.entity.js';
export { SandboxPaymentModule } from './sandbox-payment.module.js';
export { SandboxPaymentGateway } from './payment.gateway.js';
