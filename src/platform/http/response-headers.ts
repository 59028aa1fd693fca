import type { Response, NextFunction, Request } from 'express';
import { type Clock, movedTime } from '../clock/clock.js';
import type { Environment } from '../config/environment.js';

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

/** Says what time it is in a sandbox whose time was moved; no header anywhere else. */
export function sandboxTimeHeaders(clock: Clock): Record<string, string> {
  const time = movedTime(clock);
  return time ? { 'X-Sandbox-Time': time.toISOString() } : {};
}

/** Every answer has it, also one that no route gives. */
export function sandboxTime(clock: Clock) {
  return (_request: Request, response: Response, next: NextFunction): void => {
    const headers = sandboxTimeHeaders(clock);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    next();
  };
}

export const PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

// A year. Other hosts of the operator's domain are not spoken for.
const HTTPS_ALONE = 'max-age=31536000';

/** No script, no frame, and no address of ours in anybody's logs: our links are the key to a page. */
export function pageHeaders({ mode }: Pick<Environment, 'mode'>) {
  return (_request: Request, response: Response, next: NextFunction): void => {
    response.setHeader('Content-Security-Policy', PAGE_POLICY);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.setHeader('X-Frame-Options', 'DENY');
    if (mode === 'production') response.setHeader('Strict-Transport-Security', HTTPS_ALONE);
    next();
  };
}
