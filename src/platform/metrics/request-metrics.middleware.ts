import type { NextFunction, Request, Response } from 'express';
import type { Metrics } from './metrics.js';

/** Measures each request under its route's pattern, never under its path. */
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
