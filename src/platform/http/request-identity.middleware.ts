import type { NextFunction, Request, Response } from 'express';
import type { IdGenerator } from '../ids/id-generator.js';
import { hasIdentityWord } from '../validation/identity-words.js';
import type { RawRequest } from './raw-request.js';

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
