import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../platform/index.js';

@Injectable()
export class PaymentMetrics {
  readonly gatewayCalls: Counter<'gateway' | 'call' | 'outcome'>;
  readonly refunds: Counter<'reason' | 'status'>;

  constructor({ registry }: Metrics) {
    this.gatewayCalls = new Counter({
      name: 'payment_gateway_calls_total',
      help: 'Calls to a payment gateway, by gateway, call and outcome',
      labelNames: ['gateway', 'call', 'outcome'],
      registers: [registry],
    });
    this.refunds = new Counter({
      name: 'payment_refunds_total',
      help: 'Moves of refunds, by reason and status entered',
      labelNames: ['reason', 'status'],
      registers: [registry],
    });
  }
}
