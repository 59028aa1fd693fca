import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../../platform/index.js';

@Injectable()
export class InstantLoanMetrics {
  readonly transitions: Counter<'trigger' | 'status'>;

  constructor({ registry }: Metrics) {
    this.transitions = new Counter({
      name: 'instant_loan_transitions_total',
      help: 'Moves of instant loans, by trigger and status entered',
      labelNames: ['trigger', 'status'],
      registers: [registry],
    });
  }
}
