import { Injectable } from '@nestjs/common';
import { DueTimes } from '../../platform/index.js';
import { DELIVERY_TIMES } from '../store/delivery-times.js';

/** Where webhook deliveries stand when time is moved. */
@Injectable()
export class DeliveryDueTimes {
  constructor(times: DueTimes) {
    times.watch({ times: DELIVERY_TIMES });
  }
}
