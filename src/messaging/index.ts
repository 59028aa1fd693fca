export { MessagingModule, SmsRecordsModule } from './messaging.module.js';
export { HttpSmsGateway } from './http-sms.gateway.js';
export { TwilioSmsGateway } from './twilio-sms.gateway.js';
export { type NewSms, SmsOutbox } from './sms-outbox.js';
export {
  gatewayOf,
  type SmsGateway,
  type SmsReceipt,
  SmsRefused,
  type SmsToSend,
  SmsUnavailable,
} from './sms-gateway.js';
export { isWordedIn } from './sms-texts.js';
export { MESSAGING_ENTITIES } from './store/sms-messages.repository.js';
