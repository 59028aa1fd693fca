import { PROTOCOL } from '../protocol/transport.js';

/** So many unknown answers in a row open it. */
const FAILURES_TO_OPEN = 8;
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 120_000;
/** The longest that a call takes: by then it is known what came of one that tries the lender. */
const PROBE_MS = PROTOCOL.callSeconds * 1_000;
const LEAST_WAIT_MS = 1_000;

/** How a call ended. `UNTOLD`: in a way that says nothing of whether the lender answers. */
export type CallEnd = 'ANSWERED' | 'UNKNOWN' | 'UNTOLD';

/**
 * `ADMITTED`: the call may be made, and `end` is due, once.
 * `OPEN`: the lender is not asked before `waitMs` have passed.
 */
export type Admission =
  | { readonly kind: 'ADMITTED'; readonly end: (how: CallEnd) => void }
  | { readonly kind: 'OPEN'; readonly waitMs: number };

/**
 * Spares a lender that does not answer, and those who would wait for it: after repeated unknown
 * answers it is not asked for a while. Then one call tries it; until that one has ended, and after it
 * failed, the others are kept away still.
 */
export class CircuitBreaker {
  private failures = 0;
  private pauseMs = FIRST_PAUSE_MS;
  private openUntil: number | null = null;
  /** When the call that tries the lender has ended at the latest. */
  private probingUntil: number | null = null;

  /** @param nowMs a clock that only goes forward */
  constructor(private readonly nowMs: () => number) {}

  get isOpen(): boolean {
    return this.openUntil !== null;
  }

  admit(): Admission {
    if (this.openUntil === null) return { kind: 'ADMITTED', end: (how) => this.endOne(how) };
    const now = this.nowMs();
    // Whoever came back before the probe has ended would be sent away again.
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
    // A call that was under way when it opened says nothing new.
    if (this.openUntil === null && this.failures >= FAILURES_TO_OPEN) this.open();
  }

  private endProbe(how: CallEnd): void {
    this.probingUntil = null;
    if (how === 'ANSWERED') this.close();
    // Another call's answer may have closed it meanwhile.
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
