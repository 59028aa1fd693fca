import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { RandomSource } from '../ids/id-generator.js';
import { AddressLimiter } from './address-limiter.js';
import { onAnswer } from './response-headers.js';
import { isPartnerPath, type RawRequest } from './partner-routes.js';

/** Delays clients that retry at once. */
const REFUSED_AFTER_MS = 1_000;
/** Prevents refused clients from returning together. */
const SPREAD_MS = 1_000;
/** Above this, refused clients are disconnected. */
const MAX_ANSWERED = 256;
const MAX_WAITING = 8_192;

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

  /** Delayed: a client that is disconnected at once returns at once. */
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
