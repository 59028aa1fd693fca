import type { RemoteLenderLimits } from '../../settings/index.js';

const SECOND_MS = 1_000;
/** When a call that is under way will have ended is not known: that long is waited before the next look. */
const CROWD_WAIT_MS = 250;

/** `TAKEN`: the call may be made, and `release` is due at its end. */
export type Room =
  | { readonly kind: 'TAKEN'; readonly release: () => void }
  | { readonly kind: 'FULL'; readonly waitMs: number };

/**
 * How much of a lender's limits is used: calls at once, and calls a second as a bucket of tokens that
 * fills steadily, so that a second's worth may come together.
 */
export class CallLimits {
  private tokens: number;
  private filledAt: number;
  private atOnce = 0;

  /** @param nowMs a clock that only goes forward */
  constructor(
    private readonly limits: RemoteLenderLimits,
    private readonly nowMs: () => number,
  ) {
    this.tokens = limits.callsPerSecond;
    this.filledAt = nowMs();
  }

  take(): Room {
    if (this.atOnce >= this.limits.callsAtOnce) return { kind: 'FULL', waitMs: CROWD_WAIT_MS };
    this.fill();
    if (this.tokens < 1) return { kind: 'FULL', waitMs: this.untilNextToken() };
    this.tokens -= 1;
    this.atOnce += 1;
    return { kind: 'TAKEN', release: () => void (this.atOnce -= 1) };
  }

  private fill(): void {
    const now = this.nowMs();
    const { callsPerSecond } = this.limits;
    const filled = ((now - this.filledAt) * callsPerSecond) / SECOND_MS;
    this.tokens = Math.min(callsPerSecond, this.tokens + filled);
    this.filledAt = now;
  }

  private untilNextToken(): number {
    return Math.ceil(((1 - this.tokens) * SECOND_MS) / this.limits.callsPerSecond);
  }
}
