import { SmsLimitRow } from './sms-limit.entity.js';
import { SmsMessageRow } from './sms-message.entity.js';

export const MESSAGING_ENTITIES = [SmsLimitRow, SmsMessageRow];
