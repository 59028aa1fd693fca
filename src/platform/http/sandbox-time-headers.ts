import type { NextFunction, Request, Response } from 'express';
import { type Clock, movedTime } from '../clock/clock.js';

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
