import { Injectable } from '@nestjs/common';
import { DueTimes } from '../platform/index.js';
import { SMS_TIMES } from './store/sms-messages.repository.js';

@Injectable()
export class SmsDueTimes {
  constructor(times: DueTimes) {
    times.watch({ times: SMS_TIMES });
  }
}
