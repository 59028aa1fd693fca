import { Injectable } from '@nestjs/common';
import { DueTimes } from '../platform/index.js';
import { CALLBACK_TIMES } from './store/sandbox-payment-times.js';

/** Where the simulated gateway's callbacks stand when time is moved. */
@Injectable()
export class SandboxDueTimes {
  constructor(times: DueTimes) {
    times.watch({ times: CALLBACK_TIMES });
  }
}
