import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { NextFunction, Request, Response } from 'express';

/** No label may hold an id or personal data. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  readonly requests = this.histogram(
    'http_request_duration_seconds',
    'Response time, by method, route and status',
    [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    ['method', 'route', 'status'],
  );

  readonly connections = this.gauge('http_connections', 'Open client connections');

  readonly drivenOut = this.counter(
    'http_connections_driven_out_total',
    'Connections closed at a limit: the longest-idle, or a new one, or one with too many pipelined requests',
    ['reason'],
  );

  readonly bodiesGivenUp = this.counter(
    'http_bodies_given_up_total',
    'Bodies of unauthenticated senders dropped at their joint memory limit',
  );

  readonly clockDifference = this.gauge(
    'database_clock_difference_seconds',
    "Seconds that this process's clock is ahead of the database's; negative: behind",
  );

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  counter<Label extends string>(name: string, help: string, labelNames: Label[] = []) {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  gauge<Label extends string>(name: string, help: string, labelNames: Label[] = []) {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }

  histogram<Label extends string>(
    name: string,
    help: string,
    buckets: number[],
    labelNames: Label[] = [],
  ) {
    return new Histogram({ name, help, labelNames, buckets, registers: [this.registry] });
  }
}

export function requestMetrics(metrics: Metrics) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const end = metrics.requests.startTimer();
    response.once('finish', () => {
      const { path } = (request.route ?? {}) as { path?: string };
      const route = typeof path === 'string' ? path : 'none';
      end({ method: request.method, route, status: String(response.statusCode) });
    });
    next();
  };
}

/** `reset` would set a gauge without labels to 0. */
export function clearGauge(gauge: Gauge): void {
  gauge.reset();
  gauge.remove({});
}
