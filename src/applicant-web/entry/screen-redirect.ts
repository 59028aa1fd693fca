import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Fault, FaultFilter } from '../../platform/index.js';

/** Thrown anywhere in a handler, sends the browser to another page of the service. */
export class ScreenRedirect extends Error {
  constructor(readonly path: string) {
    super(`to ${path}`);
    this.name = 'ScreenRedirect';
  }
}

export const CURRENT_SCREEN = '/hosted';

/**
 * Handles `ScreenRedirect`, and sends a form that came too late (a double press, another tab) to
 * the current page. Other errors go to `FaultFilter`.
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
