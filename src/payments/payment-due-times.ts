import { Injectable } from '@nestjs/common';
import { DueTimes } from '../platform/index.js';
import {
  DONE_REFUND_TIMES,
  NOTICE_TIMES,
  ORDER_TIMES,
  REFUND_TIMES,
} from './store/payment-times.js';

@Injectable()
export class PaymentDueTimes {
  constructor(times: DueTimes) {
    times.watch(
      { times: ORDER_TIMES },
      { times: REFUND_TIMES },
      { times: NOTICE_TIMES },
      { times: DONE_REFUND_TIMES },
    );
  }
}
