import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { Metrics } from '../platform/index.js';

@Injectable()
export class SmsMetrics {
  readonly attempts: Counter<'kind' | 'outcome'>;
  readonly oldestWaiting: Gauge;

  constructor({ registry }: Metrics) {
    const registers = [registry];
    this.attempts = new Counter({
      name: 'sms_attempts_total',
      help: 'Attempts to send a text message to the gateway, by kind and outcome',
      labelNames: ['kind', 'outcome'],
      registers,
    });
    this.oldestWaiting = new Gauge({
      name: 'sms_oldest_waiting_seconds',
      help: 'Age of the oldest text message that no gateway has accepted',
      registers,
    });
  }
}
