import type { NextFunction, Request, Response } from 'express';

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
