import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { Clock } from '../clock/clock.js';
import { type Environment, isLoopbackHost } from '../config/environment.js';
import { projectPath } from '../database/data-source.js';
import { IdGenerator } from '../ids/id-generator.js';
import { Metrics, requestMetrics } from '../metrics/metrics.js';
import { OperatorServer } from '../operator-server.js';
import { AddressLimiter, ProcessorShare } from './address-limiter.js';
import { answerUnreadableRequests, requireHost, requireTarget } from './unreadable-requests.js';
import { FaultFilter } from './fault.filter.js';
import { HttpAdapter } from './bounded-server.js';
import { pageHeaders, sandboxTime } from './response-headers.js';
import type { RawRequest } from './partner-routes.js';
import { readUnsignedBodies, RequestBodies } from './request-bodies.js';
import { Fault } from '../errors/fault.js';
import { hasIdentityWord } from '../validation/personal-data-masks.js';

export function configureHttp(app: NestExpressApplication, environment: Environment): void {
  const adapter: unknown = app.getHttpAdapter();
  if (adapter instanceof HttpAdapter) adapter.connections.reportTo(app.get(Metrics));
  app.set('trust proxy', environment.trustProxy);
  app.set('etag', false);
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.use(
    chained([
      requestIdentity(app.get(IdGenerator)),
      sandboxTime(app.get(Clock)),
      requestMetrics(app.get(Metrics)),
      addressFigures(app.get(AddressLimiter)),
      pageHeaders(environment),
      requireTarget,
      requireHost,
      app.get(OperatorServer).separate,
      ...(environment.isLoopback ? [requireLoopbackHost] : []),
      returnByGet,
      readUnsignedBodies(app.get(RequestBodies)),
      // On a developer's machine, all clients share one address.
      ...(environment.isLoopback ? [] : [app.get(ProcessorShare).bound]),
    ]),
  );
  app.setBaseViewsDir(projectPath('views'));
  app.setViewEngine('hbs');
  app.useGlobalFilters(app.get(FaultFilter));
  answerUnreadableRequests(app.getHttpServer(), {
    addresses: app.get(AddressLimiter),
    ids: app.get(IdGenerator),
    clock: app.get(Clock),
    environment,
  });
}

/** Synchronous: a returned promise's rejection would be lost. */
type Middleware = (request: Request, response: Response, next: NextFunction) => void;

/** One middleware, since Express's router costs more than they do. */
function chained(parts: readonly Middleware[]): Middleware {
  return (request, response, done) => {
    const goOn = (index: number): void => {
      const part = parts[index];
      if (!part) {
        done();
        return;
      }
      part(request, response, (error?: unknown) => {
        if (error) done(error);
        else goOn(index + 1);
      });
    };
    goOn(0);
  };
}

/** A partner's call replaces these with its key's figures. */
function addressFigures(addresses: AddressLimiter) {
  return (request: Request, response: Response, next: NextFunction): void => {
    addresses.describe(request as RawRequest, response);
    next();
  };
}

const MESSAGE =
  'The Host header must name this machine, such as localhost. Set BASE_URL for a sandbox that ' +
  'other machines reach';

/** Container probes use the container's address; the responses reveal nothing. */
const PROBES = /^\/health\/(live|ready)$/;

/**
 * Prevents DNS rebinding: a web page could reach the inbox. Ignores the port, since forwarded ports
 * differ.
 */
function requireLoopbackHost(request: Request, _response: Response, next: NextFunction): void {
  const { host } = request.headers;
  // Browsers always send Host; `requireHost` handles other clients.
  const isOwn = host === undefined || isLoopbackHost(URL.parse(`http://${host}`)?.hostname ?? '');
  const isAnswered = isOwn || PROBES.test(request.path);
  next(isAnswered ? undefined : new Fault('malformed_request', { message: MESSAGE }));
}

const SANE_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** The id is logged and returned, so it must contain no PAN or mobile number. */
function isValidRequestId(given: string | string[] | undefined): given is string {
  return typeof given === 'string' && SANE_ID.test(given) && !hasIdentityWord(given);
}

function requestIdentity(ids: IdGenerator) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const given = request.headers['x-request-id'];
    const requestId = isValidRequestId(given) ? given : ids.next('req');
    (request as RawRequest).requestId = requestId;
    response.setHeader('X-Request-Id', requestId);
    response.setHeader('Cache-Control', 'no-store');
    // Express would answer `*` with 304.
    if (request.headers['if-none-match'] === '*') delete request.headers['if-none-match'];
    next();
  };
}

/** Ignores case and a trailing slash, as the router does. */
const RETURN_ADDRESSES =
  /^\/(hosted\/returned\/[^/]+|returned|pay\/[^/]+\/done|sandbox\/partner)\/?$/i;

/** A POST return lacks cookies (SameSite=Lax), so it is redirected to GET, unread. */
function returnByGet(request: Request, response: Response, next: NextFunction): void {
  if (request.method !== 'POST' || !RETURN_ADDRESSES.test(request.path)) {
    next();
    return;
  }
  const [, ...query] = request.originalUrl.split('?');
  response.redirect(303, [request.path, ...query].join('?'));
}
