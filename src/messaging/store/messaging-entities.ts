import { SmsLimit } from './sms-limit.entity.js';
import { SmsMessage } from './sms-message.entity.js';

export const MESSAGING_ENTITIES = [SmsLimit, SmsMessage];
