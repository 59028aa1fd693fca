import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { Clock } from '../clock/clock.js';
import { type Environment, isLoopbackHost } from '../config/environment.js';
import { projectPath } from '../database/data-source.js';
import { IdGenerator } from '../ids/id-generator.js';
import { Metrics, requestMetrics } from '../metrics/metrics.js';
import { OperatorServer } from '../operator-server.js';
import { AddressLimiter } from './address-limiter.js';
import { answerUnreadableRequests, requireHost, requireTarget } from './unreadable-requests.js';
import { FaultFilter } from './fault.filter.js';
import { HttpAdapter } from './http-adapter.js';
import { pageHeaders, sandboxTime } from './response-headers.js';
import { ProcessorShare } from './processor-share.js';
import type { RawRequest } from './raw-request.js';
import { readUnsignedBodies, RequestBodies } from './request-bodies.js';
import { Fault } from '../errors/fault.js';
import { hasIdentityWord } from '../validation/identity-words.js';

/** Sets up everything that stands before the controllers. */
export function configureHttp(app: NestExpressApplication, environment: Environment): void {
  const adapter: unknown = app.getHttpAdapter();
  if (adapter instanceof HttpAdapter) adapter.connections.reportTo(app.get(Metrics));
  app.set('trust proxy', environment.trustProxy);
  app.set('etag', false);
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.use(
    inTurn([
      requestIdentity(app.get(IdGenerator)),
      sandboxTime(app.get(Clock)),
      requestMetrics(app.get(Metrics)),
      addressFigures(app.get(AddressLimiter)),
      pageHeaders(environment),
      requireTarget,
      requireHost,
      app.get(OperatorServer).separate,
      ...(environment.isLoopback ? [ownHostAlone] : []),
      returnByGet,
      readUnsignedBodies(app.get(RequestBodies)),
      // On a developer's machine every client has the same address.
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
  });
}

/** It goes on, or ends, by `next` alone: the error of a promise that it returned would be lost. */
type Middleware = (request: Request, response: Response, next: NextFunction) => void;

/** Several as one: the router takes longer to come to each of them than they do themselves. */
function inTurn(parts: readonly Middleware[]): Middleware {
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

/** Every answer has the figures of a limit; a partner's call replaces them by its key's own. */
function addressFigures(addresses: AddressLimiter) {
  return (request: Request, response: Response, next: NextFunction): void => {
    addresses.describe(request as RawRequest, response);
    next();
  };
}

const MESSAGE =
  'The Host header must name this machine, as in http://localhost: set BASE_URL for a sandbox that ' +
  'others reach';

/** Asked by whatever watches over a container, under its number; they tell nothing. */
const PROBES = /^\/health\/(live|ready)$/;

/**
 * On a developer's machine the names of loopback alone are answered to. A web page can make its own
 * name lead here after it was loaded (DNS rebinding), and would read the inbox and the demonstration
 * secret. The port is of no account: one that is forwarded differs, and a page cannot choose the name.
 */
export function ownHostAlone(request: Request, _response: Response, next: NextFunction): void {
  const { host } = request.headers;
  // A browser always names the host; `requireHost` says who else must.
  const isOwn = host === undefined || isLoopbackHost(URL.parse(`http://${host}`)?.hostname ?? '');
  const isAnswered = isOwn || PROBES.test(request.path);
  next(isAnswered ? undefined : new Fault('malformed_request', { message: MESSAGE }));
}

const SANE_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** A caller's id is logged and returned: one with a PAN or a mobile number in it is not taken. */
function isTaken(given: string | string[] | undefined): given is string {
  return typeof given === 'string' && SANE_ID.test(given) && !hasIdentityWord(given);
}

/** Gives every request an id, the caller's when it is a sane one, and forbids every cache. */
export function requestIdentity(ids: IdGenerator) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const given = request.headers['x-request-id'];
    const requestId = isTaken(given) ? given : ids.next('req');
    (request as RawRequest).requestId = requestId;
    response.setHeader('X-Request-Id', requestId);
    response.setHeader('Cache-Control', 'no-store');
    // Express takes a star for a tag that matches also where there is none: 304 without an answer.
    if (request.headers['if-none-match'] === '*') delete request.headers['if-none-match'];
    next();
  };
}

/**
 * The pages to which providers and payment gateways return browsers, and the sandbox's page in the
 * place of a partner's. The router ignores case and a slash at the end, so these do, too.
 */
const RETURN_ADDRESSES =
  /^\/(hosted\/returned\/[^/]+|returned|pay\/[^/]+\/done|sandbox\/partner)\/?$/i;

/**
 * A browser may be returned by a form POST, without cookies (SameSite=Lax) and with a body that says
 * nothing to us. It is sent to the same address by GET, where cookies come along; the body is not read.
 */
export function returnByGet(request: Request, response: Response, next: NextFunction): void {
  if (request.method !== 'POST' || !RETURN_ADDRESSES.test(request.path)) {
    next();
    return;
  }
  const [, ...query] = request.originalUrl.split('?');
  response.redirect(303, [request.path, ...query].join('?'));
}
