import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../../platform/index.js';

/** What is counted of journeys. */
@Injectable()
export class JourneyMetrics {
  readonly transitions: Counter<'trigger' | 'state'>;

  constructor({ registry }: Metrics) {
    this.transitions = new Counter({
      name: 'journey_transitions_total',
      help: 'Moves of journeys, by trigger and state entered',
      labelNames: ['trigger', 'state'],
      registers: [registry],
    });
  }
}
