import { Injectable } from '@nestjs/common';
import { DueTimes } from '../platform/index.js';
import { SMS_TIMES } from './store/sms-times.js';

/** Where text messages stand when time is moved. */
@Injectable()
export class SmsDueTimes {
  constructor(times: DueTimes) {
    times.watch({ times: SMS_TIMES });
  }
}
