import type { ServerResponse } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { type Clock, movedTime } from '../clock/clock.js';
import type { Environment } from '../config/environment.js';

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

export function sandboxTimeHeaders(clock: Clock): Record<string, string> {
  const time = movedTime(clock);
  return time ? { 'X-Sandbox-Time': time.toISOString() } : {};
}

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

// One year; excludes other hosts of the operator's domain.
const HTTPS_ONLY = 'max-age=31536000';

/** No script, frame or referrer: our links grant access. */
export function pageHeaders({ mode }: Pick<Environment, 'mode'>) {
  return (_request: Request, response: Response, next: NextFunction): void => {
    response.setHeader('Content-Security-Policy', PAGE_POLICY);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.setHeader('X-Frame-Options', 'DENY');
    if (mode === 'production') response.setHeader('Strict-Transport-Security', HTTPS_ONLY);
    next();
  };
}

/** Runs at the response's end or on close; a slow client could delay sending indefinitely. */
export function onAnswer(response: ServerResponse, done: () => void): void {
  let isDone = false;
  const once = () => {
    if (isDone) return;
    isDone = true;
    done();
  };
  const end = response.end.bind(response) as (...parts: unknown[]) => ServerResponse;
  response.end = (...parts: unknown[]) => {
    once();
    return end(...parts);
  };
  response.once('close', once);
}
