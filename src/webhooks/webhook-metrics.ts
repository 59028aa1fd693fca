import { Injectable } from '@nestjs/common';
import type { Counter, Gauge, Histogram } from 'prom-client';
import { Metrics } from '../platform/index.js';

@Injectable()
export class WebhookMetrics {
  readonly attempts: Counter<'outcome'>;
  readonly firstAttempts: Histogram;
  readonly oldestDue: Gauge;
  readonly oldestHeldBack: Gauge;
  readonly subscriptions: Gauge<'health'>;

  constructor(metrics: Metrics) {
    this.attempts = metrics.counter(
      'webhook_attempts_total',
      'Webhook delivery attempts, by outcome',
      ['outcome'],
    );
    this.firstAttempts = metrics.histogram(
      'webhook_first_attempt_delay_seconds',
      'Time from an event to its first delivery attempt',
      [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300],
    );
    this.oldestDue = metrics.gauge(
      'webhook_oldest_due_seconds',
      'Age of the oldest due webhook delivery whose receiver is healthy',
    );
    this.oldestHeldBack = metrics.gauge(
      'webhook_oldest_held_back_seconds',
      'Age of the oldest webhook delivery whose receiver keeps failing',
    );
    this.subscriptions = metrics.gauge(
      'webhook_subscriptions',
      'Webhook subscriptions, by the health of their deliveries',
      ['health'],
    );
  }
}
