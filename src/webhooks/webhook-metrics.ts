import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram } from 'prom-client';
import { Metrics } from '../platform/index.js';

@Injectable()
export class WebhookMetrics {
  readonly attempts: Counter<'outcome'>;
  readonly firstAttempts: Histogram;
  readonly oldestDue: Gauge;
  readonly oldestHeldBack: Gauge;
  readonly subscriptions: Gauge<'health'>;

  constructor({ registry }: Metrics) {
    const registers = [registry];
    this.attempts = new Counter({
      name: 'webhook_attempts_total',
      help: 'Webhook delivery attempts, by outcome',
      labelNames: ['outcome'],
      registers,
    });
    this.firstAttempts = new Histogram({
      name: 'webhook_first_attempt_delay_seconds',
      help: 'Time from an event to its first delivery attempt',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300],
      registers,
    });
    this.oldestDue = new Gauge({
      name: 'webhook_oldest_due_seconds',
      help: 'Age of the oldest due webhook delivery whose receiver is healthy',
      registers,
    });
    this.oldestHeldBack = new Gauge({
      name: 'webhook_oldest_held_back_seconds',
      help: 'Age of the oldest webhook delivery whose receiver keeps failing',
      registers,
    });
    this.subscriptions = new Gauge({
      name: 'webhook_subscriptions',
      help: 'Webhook subscriptions, by the health of their deliveries',
      labelNames: ['health'],
      registers,
    });
  }
}
