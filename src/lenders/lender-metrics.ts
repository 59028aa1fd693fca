import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../platform/index.js';

/** What is counted of calls to lenders. */
@Injectable()
export class LenderMetrics {
  readonly questions: Counter<'kind' | 'outcome'>;

  constructor({ registry }: Metrics) {
    this.questions = new Counter({
      name: 'lender_questions_total',
      help: 'Times a lender was asked, by kind and outcome',
      labelNames: ['kind', 'outcome'],
      registers: [registry],
    });
  }
}
