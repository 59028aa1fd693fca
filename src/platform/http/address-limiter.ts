import { isIPv4 } from 'node:net';
import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import ipaddr from 'ipaddr.js';
import { Clock } from '../clock/clock.js';
import { Fault } from '../errors/fault.js';
import { RandomSource } from '../ids/id-generator.js';
import { isPartnerPath, type RawRequest } from './partner-routes.js';
import { onAnswer, type RateLimitFigures, writeRateLimitHeaders } from './response-headers.js';

const MICROSECONDS = 1_000;

/** Divides the thread's time equally among requests in progress. */
@Injectable()
export class ProcessorMeter {
  private inProgress = 0;
  /** Milliseconds, for a request in progress since the start. */
  private usedByEach = 0;
  private readAt = this.threadMs();

  /** The returned function returns milliseconds. */
  begin(): () => number {
    this.divide();
    this.inProgress += 1;
    const before = this.usedByEach;
    return () => {
      this.divide();
      this.inProgress -= 1;
      return this.usedByEach - before;
    };
  }

  protected threadMs(): number {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / MICROSECONDS;
  }

  private divide(): void {
    const now = this.threadMs();
    if (this.inProgress > 0) this.usedByEach += (now - this.readAt) / this.inProgress;
    this.readAt = now;
  }
}

const FAILURES_PER_MINUTE = 600;
const WINDOW_SECONDS = 60;
const SECOND_MS = 1_000;
const MAX_ADDRESSES = 50_000;

/** Share of processor time for one address's requests without a key. */
const SHARE = 0.2;
/** Processor time that an address may use at once. */
const BURST_MS = 1_000;
/** Assumed for a request until measured. */
const RESERVED_MS = 10;
/** Excludes the one-time work of first requests. */
const MAX_CHARGED_MS = 50;

interface Window {
  startedAt: number;
  failures: number;
  inProgress: number;
  /** Processor time not yet refilled. */
  usedMs: number;
  usedAtMs: number;
}

/**
 * Limits failures and processor time without a known key, by address (IPv6: /64). In memory: it
 * protects this process and is no quota.
 */
@Injectable()
export class AddressLimiter {
  private readonly windows = new Map<string, Window>();
  private readonly knownCallers = new WeakSet<RawRequest>();
  private readonly unidentified = new WeakMap<RawRequest, Window>();

  constructor(
    private readonly clock: Clock,
    private readonly meter: ProcessorMeter,
  ) {}

  markKnownCaller(request: RawRequest): void {
    this.knownCallers.add(request);
    // Other requests are not charged for this one while it runs.
    const { res } = request;
    if (!this.release(request) && res) onAnswer(res, this.meter.begin());
  }

  isKnownCaller(request: RawRequest): boolean {
    return this.knownCallers.has(request);
  }

  describe(request: RawRequest, response: Response): void {
    this.writeHeaders(response, this.windowOf(request));
  }

  countFailure(request: RawRequest, response: Response): Fault | null {
    const window = this.windowOf(request);
    window.failures += 1;
    if (!response.headersSent) this.writeHeaders(response, window);
    return this.refusalOf(window);
  }

  isRefused(request: RawRequest): boolean {
    return this.windowOf(request).failures >= FAILURES_PER_MINUTE;
  }

  /** For unparsable requests, where only the address is known. */
  countUnreadable(address: string): { figures: RateLimitFigures; refusal: Fault | null } {
    const window = this.windowAt(address);
    window.failures += 1;
    return { figures: this.figuresOf(window), refusal: this.refusalOf(window) };
  }

  /**
   * The returned function charges processor time to unidentified callers.
   * @throws Fault rate_limited
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
    // The clock may have been set back.
    const age = known ? now - known.startedAt : 0;
    if (known && age >= 0 && age < WINDOW_SECONDS) return known;
    const unused = { inProgress: 0, usedMs: 0, usedAtMs: 0 };
    // Requests in progress keep their window.
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

  /** Maps keep insertion order. */
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
/** Some proxies add the client's port. */
const WITH_PORT = /^(?:\[(?<six>[^\]]+)\]|(?<four>[\d.]+)):\d+$/;

/** The IPv4 address, also when mapped, or the IPv6 /64. Other text is unchanged. */
export function clientNetwork(address: string): string {
  // Parsing would cost more than the remaining work.
  if (isIPv4(address)) return address;
  const { six, four } = WITH_PORT.exec(address)?.groups ?? {};
  const host = six ?? four ?? address;
  if (!ipaddr.isValid(host)) return address;
  const parsed = ipaddr.process(host);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = parsed.parts.slice(0, IPV6_NETWORK_GROUPS);
  return groups.map((group) => group.toString(16)).join(':');
}

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
