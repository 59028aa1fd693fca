import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  Logger,
  ServiceUnavailableException,
} from '@nestjs/common';
import type { Response } from 'express';
import { isConnectionLost, isWorthRetrying } from '../database/connection-lost.js';
import type { ErrorCode } from '../errors/error-catalogue.js';
import { Fault, type FieldProblem, isFault } from '../errors/fault.js';
import { logFailure } from '../logging/log-failure.js';
import { FaultScreen } from '../screens/fault-screen.js';
import { AlreadyAnswered } from '../screens/visit.guard.js';
import { type Environment, InjectEnvironment } from '../config/environment.js';
import { AddressLimiter } from './address-limiter.js';
import { isLenderPath, type RawRequest } from './partner-routes.js';

const DATABASE_RETRY_SECONDS = 5;

const CODES_BY_STATUS: Record<number, ErrorCode> = {
  400: 'malformed_request',
  404: 'route_not_found',
  413: 'body_too_large',
  429: 'rate_limited',
  503: 'service_unavailable',
};

@Catch()
export class FaultFilter implements ExceptionFilter {
  private readonly logger = new Logger(FaultFilter.name);

  constructor(
    private readonly addresses: AddressLimiter,
    private readonly screen: FaultScreen,
    @InjectEnvironment private readonly environment: Environment,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    if (error instanceof AlreadyAnswered) return;
    const http = host.switchToHttp();
    this.answer(error, http.getRequest<RawRequest>(), http.getResponse<Response>());
  }

  /** A failed health check is no error; the calling code logs an unreachable lender. */
  private log(error: unknown, request: RawRequest): void {
    if (error instanceof ServiceUnavailableException) return;
    if (isFault(error, 'lender_unavailable')) return;
    logFailure(this.logger, error, { requestId: request.requestId });
  }

  answer(error: unknown, request: RawRequest, response: Response): void {
    let fault = asFault(error);
    if (fault.status >= 500) this.log(error, request);
    const isAnonymous = !this.addresses.isKnownCaller(request);
    if (isAnonymous && fault.status < 500) {
      fault = this.addresses.countFailure(request, response) ?? fault;
    }
    request.failedWith = fault.code;
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (fault.retryAfterSeconds !== undefined) {
      response.setHeader('Retry-After', String(fault.retryAfterSeconds));
    }
    if (fault.allow) response.setHeader('Allow', fault.allow.join(', '));
    response.status(fault.status);
    if (isLenderPath(request.path)) {
      response.json(lenderError(fault));
      return;
    }
    // RFC 9110, section 15.5.2.
    if (fault.status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
    if (isPage(request)) {
      void this.screen.show(fault, request, response);
      return;
    }
    response.json({
      success: false,
      error:
        fault.status === 500 ? `${fault.message} (request ${request.requestId})` : fault.message,
      code: fault.code,
      details: fault.details,
      journey: fault.journey,
      hint: fault.hint,
      requestId: request.requestId,
      docs: docsOf(fault.code, this.environment),
    });
  }
}

/** The entry of this code in the partners' documentation. */
export function docsOf(code: ErrorCode, { baseUrl }: Pick<Environment, 'baseUrl'>): string {
  return `${baseUrl}/docs/errors#${code}`;
}

/** The router ignores case. */
const PARTNER_PATH = /\/v1\/partner/i;

function isPage(request: RawRequest): boolean {
  return !PARTNER_PATH.test(request.path) && request.accepts(['json', 'html']) === 'html';
}

function asFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  if (isConnectionLost(error) || isWorthRetrying(error)) {
    return new Fault('service_unavailable', {
      retryAfterSeconds: DATABASE_RETRY_SECONDS,
      cause: error,
    });
  }
  const status = error instanceof HttpException ? error.getStatus() : malformedUrlStatus(error);
  const code = status === undefined ? undefined : CODES_BY_STATUS[status];
  return new Fault(code ?? 'internal_error', {
    cause: error,
    details: failedChecks(error),
    ...(code === 'service_unavailable' && { retryAfterSeconds: DATABASE_RETRY_SECONDS }),
  });
}

/** The router throws this for invalid percent-encoding. */
function malformedUrlStatus(error: unknown): number | undefined {
  return error instanceof URIError ? 400 : undefined;
}

type Checks = Readonly<Record<string, { readonly message?: string } | undefined>>;

function failedChecks(error: unknown): FieldProblem[] | undefined {
  if (!(error instanceof ServiceUnavailableException)) return undefined;
  const { error: checks } = error.getResponse() as { error?: Checks | string };
  if (typeof checks !== 'object') return undefined;
  return Object.entries(checks).map(([field, check]) => ({
    field,
    message: check?.message ?? 'is down',
  }));
}

const CODES: Partial<Record<ErrorCode, string>> = {
  invalid_signature: 'signature_refused',
  malformed_request: 'invalid_request',
  malformed_json: 'invalid_request',
  validation_failed: 'invalid_request',
  route_not_found: 'not_found',
  rate_limited: 'too_many_requests',
  service_unavailable: 'unavailable',
};

const CODES_OF_PROTOCOL: ReadonlySet<string> = new Set(['body_too_large', 'internal_error']);

function lenderError({ code, message, status }: Fault) {
  const known = CODES[code] ?? (CODES_OF_PROTOCOL.has(code) ? code : undefined);
  const text = code === 'body_too_large' ? 'The body is larger than 256 KB' : message;
  return {
    error: { code: known ?? (status < 500 ? 'invalid_request' : 'internal_error'), message: text },
  };
}
