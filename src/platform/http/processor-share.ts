import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { AddressLimiter } from './address-limiter.js';
import { onAnswer } from './on-answer.js';
import { isPartnerPath } from './partner-routes.js';
import type { RawRequest } from './raw-request.js';

/** Later than at once: a client that asks again at once would keep the processor busy with refusals. */
const REFUSED_AFTER_MS = 1_000;
const MAX_WAITING = 256;

/** Middleware that bounds what the routes without a key cost for one client address. */
@Injectable()
export class ProcessorShare {
  private waiting = 0;

  constructor(private readonly addresses: AddressLimiter) {}

  readonly bound = (request: Request, response: Response, next: NextFunction): void => {
    if (isPartnerPath(request.path)) {
      next();
      return;
    }
    try {
      onAnswer(response, this.addresses.beginWithoutKey(request as RawRequest));
    } catch (refusal) {
      this.refuse(() => next(refusal));
      return;
    }
    next();
  };

  private refuse(answer: () => void): void {
    if (this.waiting >= MAX_WAITING) {
      answer();
      return;
    }
    this.waiting += 1;
    setTimeout(() => {
      this.waiting -= 1;
      answer();
    }, REFUSED_AFTER_MS);
  }
}
