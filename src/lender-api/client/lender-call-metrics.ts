import { Injectable } from '@nestjs/common';
import type { Counter, Gauge, Histogram } from 'prom-client';
import { LenderUnavailable } from '../../lenders/index.js';
import { Metrics } from '../../platform/index.js';

const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

@Injectable()
export class LenderCallMetrics {
  readonly calls: Counter<'lender' | 'call' | 'outcome'>;
  readonly callbacks: Counter<'lender' | 'call' | 'outcome'>;
  readonly seconds: Histogram<'lender' | 'call'>;
  readonly breakerOpen: Gauge<'lender'>;
  readonly certificateDaysLeft: Gauge<'lender'>;
  readonly signaturesRefused: Counter<'lender' | 'message' | 'problem'>;

  constructor(metrics: Metrics) {
    this.calls = metrics.counter(
      'lender_calls_total',
      'Calls to lenders, by lender, call and outcome',
      ['lender', 'call', 'outcome'],
    );
    this.callbacks = metrics.counter(
      'lender_callbacks_total',
      'Callbacks from lenders, by lender, call and outcome',
      ['lender', 'call', 'outcome'],
    );
    this.seconds = metrics.histogram(
      'lender_call_seconds',
      'Duration of calls to lenders, by lender and call',
      SECONDS,
      ['lender', 'call'],
    );
    this.breakerOpen = metrics.gauge(
      'lender_breaker_open',
      '1 while this process does not call the lender because it did not answer',
      ['lender'],
    );
    this.certificateDaysLeft = metrics.gauge(
      'lender_certificate_days_left',
      'Days until the first TLS certificate of the lender’s hosts expires',
      ['lender'],
    );
    this.signaturesRefused = metrics.counter(
      'lender_signatures_refused_total',
      'Messages of lenders without a valid signature, by problem',
      ['lender', 'message', 'problem'],
    );
  }
}

/** Values of the metric `outcome`. */
export type CallFailure =
  /** Nothing was sent, for the first three. */
  | 'limited'
  | 'breaker_open'
  | 'invalid_question'
  | 'timeout'
  | 'unreachable'
  | 'redirect'
  /** Not a response of the protocol. */
  | 'too_large'
  | 'compressed'
  | 'invalid_answer'
  | 'signature_refused'
  /** 429, or 503 with Retry-After. */
  | 'asked_to_wait'
  /** Any other status. */
  | 'refused'
  | 'error_status';

/** The verdict is unknown: retry the same question. */
export class LenderCallFailed extends LenderUnavailable {
  readonly status?: number;

  constructor(
    readonly failure: CallFailure,
    reason: string,
    options: { status?: number; askAgainInMs?: number; cause?: unknown } = {},
  ) {
    super(reason, { cause: options.cause, askAgainInMs: options.askAgainInMs });
    this.name = 'LenderCallFailed';
    this.status = options.status;
  }
}
