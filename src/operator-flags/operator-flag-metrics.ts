import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../platform/index.js';

/** What is counted of the flags. */
@Injectable()
export class OperatorFlagMetrics {
  readonly raised: Counter<'kind'>;

  constructor({ registry }: Metrics) {
    this.raised = new Counter({
      name: 'operator_flags_total',
      help: 'Things put before the operator, by kind',
      labelNames: ['kind'],
      registers: [registry],
    });
  }
}
