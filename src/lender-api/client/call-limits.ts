import type { RemoteLenderLimits } from '../../settings/index.js';

const SECOND_MS = 1_000;
/** When a call that is under way will have ended is not known: that long is waited before the next look. */
const CROWD_WAIT_MS = 250;
/** Questions that the service puts by itself leave this part of the limits to those that somebody waits for. */
const KEPT_PART = 3;

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

  /** @param isWaitedFor by somebody: the last third is kept for such calls */
  take(isWaitedFor: boolean): Room {
    const { callsAtOnce, callsPerSecond } = this.limits;
    const keptOf = (limit: number) => (isWaitedFor ? 0 : Math.floor(limit / KEPT_PART));
    if (this.atOnce >= callsAtOnce - keptOf(callsAtOnce)) {
      return { kind: 'FULL', waitMs: CROWD_WAIT_MS };
    }
    this.fill();
    const wanted = 1 + keptOf(callsPerSecond);
    if (this.tokens < wanted) return { kind: 'FULL', waitMs: this.untilTokens(wanted) };
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

  private untilTokens(wanted: number): number {
    return Math.ceil(((wanted - this.tokens) * SECOND_MS) / this.limits.callsPerSecond);
  }
}
