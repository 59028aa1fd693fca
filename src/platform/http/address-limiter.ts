import { isIPv4 } from 'node:net';
import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import ipaddr from 'ipaddr.js';
import { Clock } from '../clock/clock.js';
import { Fault } from '../errors/fault.js';
import { onAnswer } from './on-answer.js';
import { ProcessorMeter } from './processor-meter.js';
import type { RawRequest } from './raw-request.js';
import { type RateLimitFigures, writeRateLimitHeaders } from './response-headers.js';

const FAILURES_PER_MINUTE = 600;
const WINDOW_SECONDS = 60;
const SECOND_MS = 1_000;
const MAX_ADDRESSES = 50_000;

/** Of the processor, for the requests without a key of one address. */
const SHARE = 0.2;
/** What an address may use at once, in milliseconds of the processor. */
const BURST_MS = 1_000;
/** Counted for a request until it is known what it used. */
const RESERVED_MS = 10;
/** What is made once, at the first request for it, is not charged to that request's address. */
const MAX_CHARGED_MS = 50;

interface Window {
  startedAt: number;
  failures: number;
  /** Requests without a key that are in progress. */
  inProgress: number;
  /** Processor time that the address has used and that has not been refilled. */
  usedMs: number;
  usedAtMs: number;
}

/**
 * Limits one client address (of IPv6: one /64): its requests that fail before they are counted against
 * a key, and the processor time of its requests to routes without a key. Failures are checked on the failing path
 * only, and a call with a key has no such share, so a good caller behind the same address is never
 * locked out. The limits are kept in memory: they protect this process and are no quota.
 */
@Injectable()
export class AddressLimiter {
  private readonly windows = new Map<string, Window>();
  private readonly knownCallers = new WeakSet<RawRequest>();
  /** Requests in progress to routes without a key whose caller is not known. */
  private readonly unidentified = new WeakMap<RawRequest, Window>();

  constructor(
    private readonly clock: Clock,
    private readonly meter: ProcessorMeter,
  ) {}

  /** From here on the request is the business of its key's own limits. */
  markKnownCaller(request: RawRequest): void {
    this.knownCallers.add(request);
    // While it is in progress, others are not charged for it.
    const { res } = request;
    if (!this.release(request) && res) onAnswer(res, this.meter.begin());
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

  /** Whether one more failure would be refused; counts nothing. */
  isRefused(request: RawRequest): boolean {
    return this.windowOf(request).failures >= FAILURES_PER_MINUTE;
  }

  /** Counts what could not even be read as a request; there is an address then, and no more. */
  countUnreadable(address: string): { figures: RateLimitFigures; refusal: Fault | null } {
    const window = this.windowAt(address);
    window.failures += 1;
    return { figures: this.figuresOf(window), refusal: this.refusalOf(window) };
  }

  /**
   * Counts a request to a route without a key as in progress. The function returned ends that and charges its
   * processor time to the address, unless the caller was identified meanwhile.
   * @throws Fault rate_limited while the address has used up its share
   */
  beginWithoutKey(request: RawRequest): () => void {
    const window = this.windowOf(request);
    this.refill(window);
    const missingMs = window.usedMs + (window.inProgress + 1) * RESERVED_MS - BURST_MS;
    if (missingMs > 0) {
      const retryAfterSeconds = Math.ceil(missingMs / SHARE / SECOND_MS);
      throw new Fault('rate_limited', { retryAfterSeconds });
    }
    window.inProgress += 1;
    this.unidentified.set(request, window);
    const end = this.meter.begin();
    return () => {
      const usedMs = Math.min(end(), MAX_CHARGED_MS);
      if (!this.release(request)) return;
      this.refill(window);
      window.usedMs += usedMs;
    };
  }

  /** Whether the request was one whose caller is not known; it is no more. */
  private release(request: RawRequest): boolean {
    const window = this.unidentified.get(request);
    if (!window) return false;
    this.unidentified.delete(request);
    window.inProgress -= 1;
    return true;
  }

  private refill(window: Window): void {
    const now = this.clock.now().getTime();
    // The clock may have been set back.
    const passedMs = Math.max(0, now - window.usedAtMs);
    window.usedMs = Math.max(0, window.usedMs - passedMs * SHARE);
    window.usedAtMs = now;
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
    const unused = { inProgress: 0, usedMs: 0, usedAtMs: 0 };
    // Requests in progress hold on to theirs.
    const fresh = Object.assign(known ?? unused, { startedAt: now, failures: 0 });
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

const IPV6_NETWORK_GROUPS = 4;
/** Some proxies name the client's port, too; a client has a new one with each connection. */
const WITH_PORT = /^(?:\[(?<six>[^\]]+)\]|(?<four>[\d.]+)):\d+$/;

/**
 * What limits per client address are counted for: an IPv4 address, also where IPv6 carries it, and of
 * IPv6 the /64, all of which one subscriber has. What is not an address stands for itself.
 */
export function clientNetwork(address: string): string {
  // Most are, and to take one apart costs more than the rest of counting a call.
  if (isIPv4(address)) return address;
  const { six, four } = WITH_PORT.exec(address)?.groups ?? {};
  const host = six ?? four ?? address;
  if (!ipaddr.isValid(host)) return address;
  const parsed = ipaddr.process(host);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = parsed.parts.slice(0, IPV6_NETWORK_GROUPS);
  return groups.map((group) => group.toString(16)).join(':');
}
