import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { RandomSource } from '../crypto/random-source.js';
import { AddressLimiter } from './address-limiter.js';
import { onAnswer } from './on-answer.js';
import { isPartnerPath } from './partner-routes.js';
import type { RawRequest } from './raw-request.js';

/** A client that asks again at once would keep the processor busy with refusals. */
const REFUSED_AFTER_MS = 1_000;
/** Clients that were refused together do not come back together. */
const SPREAD_MS = 1_000;
/** What more are refused at a time are disconnected in place of an answer. */
const MAX_ANSWERED = 256;
const MAX_WAITING = 8_192;

/** Middleware that bounds what the routes without a key cost for one client address. */
@Injectable()
export class ProcessorShare {
  private waiting = 0;

  constructor(
    private readonly addresses: AddressLimiter,
    private readonly random: RandomSource,
  ) {}

  readonly bound = (request: Request, response: Response, next: NextFunction): void => {
    if (isPartnerPath(request.path)) {
      next();
      return;
    }
    try {
      onAnswer(response, this.addresses.beginWithoutKey(request as RawRequest));
    } catch (refusal) {
      this.refuse(response, () => next(refusal));
      return;
    }
    next();
  };

  /** Late in any case: a client that is disconnected at once comes back at once. */
  private refuse(response: Response, answer: () => void): void {
    if (this.waiting >= MAX_WAITING) {
      response.destroy();
      return;
    }
    const isAnswered = this.waiting < MAX_ANSWERED;
    this.waiting += 1;
    setTimeout(
      () => {
        this.waiting -= 1;
        if (response.destroyed) return;
        if (isAnswered) answer();
        else response.destroy();
      },
      REFUSED_AFTER_MS + this.random.fraction() * SPREAD_MS,
    );
  }
}
