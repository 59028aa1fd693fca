import type { Response } from 'express';

/** The figures of one window, as the `RateLimit-*` headers show them. */
export interface RateLimitFigures {
  limit: number;
  remaining: number;
  resetSeconds: number;
  policy: string;
}

export function rateLimitHeaders(figures: RateLimitFigures): Record<string, string> {
  return {
    'RateLimit-Limit': String(figures.limit),
    'RateLimit-Remaining': String(figures.remaining),
    'RateLimit-Reset': String(figures.resetSeconds),
    'RateLimit-Policy': figures.policy,
  };
}

export function writeRateLimitHeaders(response: Response, figures: RateLimitFigures): void {
  for (const [name, value] of Object.entries(rateLimitHeaders(figures))) {
    response.setHeader(name, value);
  }
}
