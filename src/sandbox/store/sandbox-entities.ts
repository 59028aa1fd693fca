import { SandboxPaymentRow } from './sandbox-payment.entity.js';
import { SandboxSms } from './sandbox-sms.entity.js';

export const SANDBOX_ENTITIES = [SandboxPaymentRow, SandboxSms];
