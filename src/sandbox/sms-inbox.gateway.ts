import { Injectable } from '@nestjs/common';
import {
  type SmsGateway,
  type SmsReceipt,
  type SmsToSend,
  SmsUnavailable,
} from '../messaging/index.js';
import { sandboxOutcome } from './sandbox-outcomes.js';
import { SmsInbox } from './store/sms-inbox.js';

@Injectable()
export class SmsInboxGateway implements SmsGateway {
  readonly kind = 'inbox';

  constructor(private readonly inbox: SmsInbox) {}

  async send(sms: SmsToSend): Promise<SmsReceipt> {
    if (sandboxOutcome(sms.pan) === 'SMS_DOWN') {
      throw new SmsUnavailable('the simulated gateway is down');
    }
    await this.inbox.take(sms);
    return { gatewayMessageId: sms.id };
  }
}
