import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../platform/index.js';

/** What is counted of the log of calls. */
@Injectable()
export class RequestLogMetrics {
  readonly dropped: Counter<'reason'>;

  constructor({ registry }: Metrics) {
    this.dropped = new Counter({
      name: 'request_log_dropped_total',
      help: 'Calls that the request log lacks: there were too many waiting, or the database did not take them',
      labelNames: ['reason'],
      registers: [registry],
    });
  }
}
