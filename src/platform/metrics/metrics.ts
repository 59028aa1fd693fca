import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The service's figures for Prometheus; no label ever holds an id or personal data. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  readonly requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by method, route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [this.registry],
  });

  readonly connections = new Gauge({
    name: 'http_connections',
    help: 'Connections of clients that are open',
    registers: [this.registry],
  });

  readonly drivenOut = new Counter({
    name: 'http_connections_driven_out_total',
    help: 'Connections that were closed at a limit: to make room, refused for none, asking too far ahead',
    labelNames: ['reason'],
    registers: [this.registry],
  });

  readonly bodiesGivenUp = new Counter({
    name: 'http_bodies_given_up_total',
    help: 'Bodies of unknown senders that were given up at the limit of what they hold together',
    registers: [this.registry],
  });

  readonly transitions = new Counter({
    name: 'journey_transitions_total',
    help: 'Moves of journeys, by trigger and state entered',
    labelNames: ['trigger', 'state'],
    registers: [this.registry],
  });

  readonly instantLoanTransitions = new Counter({
    name: 'instant_loan_transitions_total',
    help: 'Moves of instant loans, by trigger and status entered',
    labelNames: ['trigger', 'status'],
    registers: [this.registry],
  });

  readonly webhookAttempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Attempts to deliver a webhook, by outcome',
    labelNames: ['outcome'],
    registers: [this.registry],
  });

  readonly webhookFirstAttempts = new Histogram({
    name: 'webhook_first_attempt_delay_seconds',
    help: 'Time from an event to the first attempt to deliver it',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300],
    registers: [this.registry],
  });

  readonly oldestDueDelivery = new Gauge({
    name: 'webhook_oldest_due_seconds',
    help: 'Age of the oldest webhook delivery that is due and that nothing holds back',
    registers: [this.registry],
  });

  readonly oldestHeldBackDelivery = new Gauge({
    name: 'webhook_oldest_held_back_seconds',
    help: 'Age of the oldest webhook delivery that waits behind a receiver that keeps failing',
    registers: [this.registry],
  });

  readonly webhookSubscriptions = new Gauge({
    name: 'webhook_subscriptions',
    help: 'Webhook subscriptions by the health of their deliveries',
    labelNames: ['health'],
    registers: [this.registry],
  });

  readonly lenderQuestions = new Counter({
    name: 'lender_questions_total',
    help: 'Times a lender was asked, by kind and outcome',
    labelNames: ['kind', 'outcome'],
    registers: [this.registry],
  });

  readonly smsAttempts = new Counter({
    name: 'sms_attempts_total',
    help: 'Attempts to hand a text message to the gateway, by kind and outcome',
    labelNames: ['kind', 'outcome'],
    registers: [this.registry],
  });

  readonly oldestWaitingSms = new Gauge({
    name: 'sms_oldest_waiting_seconds',
    help: 'Age of the oldest text message that no gateway has taken yet',
    registers: [this.registry],
  });

  readonly paymentGatewayCalls = new Counter({
    name: 'payment_gateway_calls_total',
    help: 'Calls to a payment gateway, by gateway, call and outcome',
    labelNames: ['gateway', 'call', 'outcome'],
    registers: [this.registry],
  });

  readonly operatorFlags = new Counter({
    name: 'operator_flags_total',
    help: 'Things put before the operator, by kind',
    labelNames: ['kind'],
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }
}
