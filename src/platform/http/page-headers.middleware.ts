import type { NextFunction, Request, Response } from 'express';
import type { Environment } from '../config/environment.js';

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

// A year. Other hosts of the operator's domain are not spoken for.
const HTTPS_ALONE = 'max-age=31536000';

/** No script, no frame, and no address of ours in anybody's logs: our links are the key to a page. */
export function pageHeaders({ mode }: Pick<Environment, 'mode'>) {
  return (_request: Request, response: Response, next: NextFunction): void => {
    response.setHeader('Content-Security-Policy', POLICY);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.setHeader('X-Frame-Options', 'DENY');
    if (mode === 'production') response.setHeader('Strict-Transport-Security', HTTPS_ALONE);
    next();
  };
}
