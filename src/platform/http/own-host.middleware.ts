import type { NextFunction, Request, Response } from 'express';
import { isLoopbackHost } from '../config/environment.js';
import { Fault } from '../errors/fault.js';

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
