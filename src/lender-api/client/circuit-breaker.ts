import { PROTOCOL } from '../protocol/transport.js';

const FAILURES_TO_OPEN = 8;
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 120_000;
/** The result of a probe is known by then. */
const PROBE_MS = PROTOCOL.callSeconds * 1_000;
const LEAST_WAIT_MS = 1_000;

/** `UNTOLD`: the end says nothing about whether the lender answers. */
export type CallEnd = 'ANSWERED' | 'UNKNOWN' | 'UNTOLD';

/** After `ADMITTED`, `end` is due once. `OPEN`: no call for `waitMs`. */
export type Admission =
  | { readonly kind: 'ADMITTED'; readonly end: (how: CallEnd) => void }
  | { readonly kind: 'OPEN'; readonly waitMs: number };

/**
 * Stops calls after repeated unknown answers. After a pause one probe is admitted; the others wait until it has
 * succeeded.
 */
export class CircuitBreaker {
  private failures = 0;
  private pauseMs = FIRST_PAUSE_MS;
  private openUntil: number | null = null;
  /** The latest end of the probe. */
  private probingUntil: number | null = null;

  /** @param nowMs a monotonic clock */
  constructor(private readonly nowMs: () => number) {}

  get isOpen(): boolean {
    return this.openUntil !== null;
  }

  admit(): Admission {
    if (this.openUntil === null) return { kind: 'ADMITTED', end: (how) => this.endOne(how) };
    const now = this.nowMs();
    // A caller that returned before the probe's end would be refused again.
    const left = (this.probingUntil ?? this.openUntil) - now;
    if (left > 0 || this.probingUntil !== null) {
      return { kind: 'OPEN', waitMs: Math.max(left, LEAST_WAIT_MS) };
    }
    this.probingUntil = now + PROBE_MS;
    return { kind: 'ADMITTED', end: (how) => this.endProbe(how) };
  }

  private endOne(how: CallEnd): void {
    if (how === 'ANSWERED') this.close();
    if (how !== 'UNKNOWN') return;
    this.failures += 1;
    // A call that began before it opened says nothing new.
    if (this.openUntil === null && this.failures >= FAILURES_TO_OPEN) this.open();
  }

  private endProbe(how: CallEnd): void {
    this.probingUntil = null;
    if (how === 'ANSWERED') this.close();
    // Another call's answer may have closed it.
    if (how !== 'UNKNOWN' || this.openUntil === null) return;
    this.pauseMs = Math.min(2 * this.pauseMs, MAX_PAUSE_MS);
    this.open();
  }

  private open(): void {
    this.openUntil = this.nowMs() + this.pauseMs;
  }

  private close(): void {
    this.failures = 0;
    this.pauseMs = FIRST_PAUSE_MS;
    this.openUntil = null;
  }
}
