import type { RemoteLenderLimits } from '../../settings/index.js';

const SECOND_MS = 1_000;
/** When a call will end is not known. */
const CROWD_WAIT_MS = 250;
/** The share that is reserved for calls whose caller waits. */
const KEPT_PART = 3;

/** The use of a lender's limits: calls at once, and calls a second as a token bucket that holds one second's worth. */
export class CallLimits {
  private tokens = Number.POSITIVE_INFINITY;
  private filledAt: number;
  private atOnce = 0;

  /** @param nowMs a monotonic clock */
  constructor(private readonly nowMs: () => number) {
    this.filledAt = nowMs();
  }

  /**
   * @param isWaitedFor whether a caller waits: the last third is reserved for such calls
   * @returns 0 when the call may be made, and `release` must follow; otherwise the milliseconds to wait
   */
  take({ callsAtOnce, callsPerSecond }: RemoteLenderLimits, isWaitedFor: boolean): number {
    const keptOf = (limit: number) => (isWaitedFor ? 0 : Math.floor(limit / KEPT_PART));
    if (this.atOnce >= callsAtOnce - keptOf(callsAtOnce)) return CROWD_WAIT_MS;
    this.fill(callsPerSecond);
    const missing = 1 + keptOf(callsPerSecond) - this.tokens;
    if (missing > 0) return Math.ceil((missing * SECOND_MS) / callsPerSecond);
    this.tokens -= 1;
    this.atOnce += 1;
    return 0;
  }

  release(): void {
    this.atOnce -= 1;
  }

  private fill(callsPerSecond: number): void {
    const now = this.nowMs();
    const filled = ((now - this.filledAt) * callsPerSecond) / SECOND_MS;
    this.tokens = Math.min(callsPerSecond, this.tokens + filled);
    this.filledAt = now;
  }
}
