import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { NextFunction, Request, Response } from 'express';

/** No label may hold an id or personal data. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  readonly requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Response time, by method, route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [this.registry],
  });

  readonly connections = new Gauge({
    name: 'http_connections',
    help: 'Open client connections',
    registers: [this.registry],
  });

  readonly drivenOut = new Counter({
    name: 'http_connections_driven_out_total',
    help: 'Connections closed at a limit: the longest-idle, or a new one, or one with too many pipelined requests',
    labelNames: ['reason'],
    registers: [this.registry],
  });

  readonly bodiesGivenUp = new Counter({
    name: 'http_bodies_given_up_total',
    help: 'Bodies of unauthenticated senders dropped at their joint memory limit',
    registers: [this.registry],
  });

  readonly clockDifference = new Gauge({
    name: 'database_clock_difference_seconds',
    help: "Seconds that this process's clock is ahead of the database's; negative: behind",
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
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
