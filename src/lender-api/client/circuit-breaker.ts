/** So many unknown answers in a row open it. */
const FAILURES_TO_OPEN = 8;
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 120_000;

/** `OPEN`: the lender is not asked before `waitMs` have passed. */
export type Admission =
  { readonly kind: 'ADMITTED' } | { readonly kind: 'OPEN'; readonly waitMs: number };

/**
 * Spares a lender that does not answer, and those who would wait for it: after repeated unknown
 * answers it is not asked for a while. Then one call tries it; until that one has ended, and after it
 * failed, the others are kept away still.
 */
export class CircuitBreaker {
  private failures = 0;
  private pauseMs = FIRST_PAUSE_MS;
  private openUntil: number | null = null;
  private isProbing = false;

  /** @param nowMs a clock that only goes forward */
  constructor(private readonly nowMs: () => number) {}

  get isOpen(): boolean {
    return this.openUntil !== null;
  }

  /** Whoever is admitted says how it ended: `succeeded`, `failed` or `ended`. */
  admit(): Admission {
    if (this.openUntil === null) return { kind: 'ADMITTED' };
    const left = this.openUntil - this.nowMs();
    if (left > 0 || this.isProbing) {
      return { kind: 'OPEN', waitMs: Math.max(left, FIRST_PAUSE_MS / 5) };
    }
    this.isProbing = true;
    return { kind: 'ADMITTED' };
  }

  succeeded(): void {
    this.failures = 0;
    this.pauseMs = FIRST_PAUSE_MS;
    this.openUntil = null;
    this.isProbing = false;
  }

  failed(): void {
    this.failures += 1;
    if (this.openUntil !== null) {
      // A call that was under way when it opened says nothing new.
      if (!this.isProbing) return;
      this.pauseMs = Math.min(2 * this.pauseMs, MAX_PAUSE_MS);
    } else if (this.failures < FAILURES_TO_OPEN) return;
    this.openUntil = this.nowMs() + this.pauseMs;
    this.isProbing = false;
  }

  /** It ended in a way that says nothing of whether the lender answers. */
  ended(): void {
    this.isProbing = false;
  }
}
