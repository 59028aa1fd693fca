import { SandboxPaymentRow } from './sandbox-payment.entity.js';
import { SandboxSmsRow } from './sandbox-sms.entity.js';

export const SANDBOX_ENTITIES = [SandboxPaymentRow, SandboxSmsRow];
