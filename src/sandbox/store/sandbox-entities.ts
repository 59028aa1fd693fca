import { SandboxClock } from './sandbox-clock.entity.js';
import { SandboxSessionRow } from './sandbox-session.entity.js';
import { SandboxPaymentRow } from './sandbox-payment.entity.js';
import { SandboxSms } from './sandbox-sms.entity.js';

export const SANDBOX_ENTITIES = [SandboxClock, SandboxPaymentRow, SandboxSessionRow, SandboxSms];
