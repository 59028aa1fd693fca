import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Fault, FaultFilter } from '../../platform/index.js';

/** Not this screen: the browser is sent to another one of ours. Thrown from anywhere in a handler. */
export class ScreenRedirect extends Error {
  constructor(readonly path: string) {
    super(`to ${path}`);
    this.name = 'ScreenRedirect';
  }
}

/** Where the journey's own state leads the browser. */
export const CURRENT_SCREEN = '/hosted';

/**
 * Sends the browser where a `ScreenRedirect` leads, and after a form that came too late to where the journey
 * is: somebody pressed twice, or another tab was faster. Whatever else fails is shown as ever.
 */
@Catch()
export class ScreenRedirectFilter implements ExceptionFilter {
  constructor(private readonly faults: FaultFilter) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const path = pathAfter(error, http.getRequest<Request>());
    if (path === null) this.faults.catch(error, host);
    else http.getResponse<Response>().redirect(303, path);
  }
}

function pathAfter(error: unknown, request: Request): string | null {
  if (error instanceof ScreenRedirect) return error.path;
  const isLate =
    request.method === 'POST' &&
    error instanceof Fault &&
    (error.code === 'wrong_step' || error.code === 'action_in_flight');
  return isLate ? CURRENT_SCREEN : null;
}
