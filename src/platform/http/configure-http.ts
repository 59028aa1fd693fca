import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { Clock } from '../clock/clock.js';
import type { Environment } from '../config/environment.js';
import { projectPath } from '../database/data-source.js';
import { IdGenerator } from '../ids/id-generator.js';
import { Metrics } from '../metrics/metrics.js';
import { OperatorServer } from '../operator-server.js';
import { requestMetrics } from '../metrics/request-metrics.middleware.js';
import { AddressLimiter } from './address-limiter.js';
import { answerUnreadableRequests, requireHost, requireTarget } from './unreadable-requests.js';
import { FaultFilter } from './fault.filter.js';
import { HttpAdapter } from './http-adapter.js';
import { ownHostAlone } from './own-host.middleware.js';
import { pageHeaders } from './page-headers.middleware.js';
import { ProcessorShare } from './processor-share.js';
import type { RawRequest } from './raw-request.js';
import { readUnsignedBodies, RequestBodies } from './request-bodies.js';
import { requestIdentity } from './request-identity.middleware.js';
import { returnByGet } from './return-addresses.middleware.js';
import { sandboxTime } from './sandbox-time-headers.js';

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
