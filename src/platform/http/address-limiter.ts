import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Clock } from '../clock/clock.js';
import { Fault } from '../errors/fault.js';
import { clientNetwork } from './client-network.js';
import type { RawRequest } from './raw-request.js';
import { type RateLimitFigures, writeRateLimitHeaders } from './rate-limit-headers.js';

const FAILURES_PER_MINUTE = 600;
const WINDOW_SECONDS = 60;
const MAX_ADDRESSES = 50_000;

interface Window {
  startedAt: number;
  failures: number;
}

/**
 * Limits the requests of one client address (of IPv6: one /64) that fail before they are counted against a key. It is
 * looked at on the failing path only, so a good caller behind the same address is never locked out,
 * and it lives in memory: a protection of this process, not a quota.
 */
@Injectable()
export class AddressLimiter {
  private readonly windows = new Map<string, Window>();
  private readonly knownCallers = new WeakSet<RawRequest>();

  constructor(private readonly clock: Clock) {}

  /** From here on the request is the business of its key's own limits. */
  markKnownCaller(request: RawRequest): void {
    this.knownCallers.add(request);
  }

  isKnownCaller(request: RawRequest): boolean {
    return this.knownCallers.has(request);
  }

  /** Writes this address's figures on an answer without counting anything. */
  describe(request: RawRequest, response: Response): void {
    this.writeHeaders(response, this.windowOf(request));
  }

  /** Counts one failure; answers the refusal when the address has had too many. */
  countFailure(request: RawRequest, response: Response): Fault | null {
    const window = this.windowOf(request);
    window.failures += 1;
    if (!response.headersSent) this.writeHeaders(response, window);
    return this.refusalOf(window);
  }

  /** Counts what could not even be read as a request; there is an address then, and no more. */
  countUnreadable(address: string): { figures: RateLimitFigures; refusal: Fault | null } {
    const window = this.windowAt(address);
    window.failures += 1;
    return { figures: this.figuresOf(window), refusal: this.refusalOf(window) };
  }

  private windowOf(request: RawRequest): Window {
    return this.windowAt(request.ip ?? 'unknown');
  }

  private windowAt(address: string): Window {
    const network = clientNetwork(address);
    const now = this.clock.epochSeconds();
    const known = this.windows.get(network);
    // A window that starts in the future is from before the clock was set back.
    const age = known ? now - known.startedAt : 0;
    if (known && age >= 0 && age < WINDOW_SECONDS) return known;
    const fresh = { startedAt: now, failures: 0 };
    this.windows.delete(network);
    if (this.windows.size >= MAX_ADDRESSES) this.forgetOldest();
    this.windows.set(network, fresh);
    return fresh;
  }

  private refusalOf(window: Window): Fault | null {
    if (window.failures <= FAILURES_PER_MINUTE) return null;
    return new Fault('rate_limited', { retryAfterSeconds: this.secondsLeft(window) });
  }

  /** A map keeps its order of insertion, so the first entry is the oldest window. */
  private forgetOldest(): void {
    const oldest = this.windows.keys().next().value;
    if (oldest !== undefined) this.windows.delete(oldest);
  }

  private secondsLeft(window: Window): number {
    return Math.max(1, window.startedAt + WINDOW_SECONDS - this.clock.epochSeconds());
  }

  private writeHeaders(response: Response, window: Window): void {
    writeRateLimitHeaders(response, this.figuresOf(window));
  }

  private figuresOf(window: Window): RateLimitFigures {
    return {
      limit: FAILURES_PER_MINUTE,
      remaining: Math.max(0, FAILURES_PER_MINUTE - window.failures),
      resetSeconds: this.secondsLeft(window),
      policy: `${FAILURES_PER_MINUTE};w=${WINDOW_SECONDS}`,
    };
  }
}
