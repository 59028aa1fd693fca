import type { RemoteLenderLimits } from '../../settings/index.js';

const SECOND_MS = 1_000;
const WAIT_WHEN_FULL_MS = 250;

/** `WAITED_FOR`: by a caller. `QUEUED`: retried by the worker. `SOFT`: moves no loan. */
export type Urgency = 'WAITED_FOR' | 'QUEUED' | 'SOFT';

/** Reserved for what is more urgent; rounded up for soft calls, which otherwise could take a loan's only place. */
const RESERVED: Readonly<Record<Urgency, (limit: number) => number>> = {
  WAITED_FOR: () => 0,
  QUEUED: (limit) => Math.floor(limit / 3),
  SOFT: (limit) => Math.ceil((limit * 2) / 3),
};

/** The calls per second are a token bucket of one second's worth. */
export class CallLimits {
  private tokens = Number.POSITIVE_INFINITY;
  private filledAt: number;
  private atOnce = 0;

  /** @param nowMs a monotonic clock */
  constructor(private readonly nowMs: () => number) {
    this.filledAt = nowMs();
  }

  /** @returns milliseconds to wait; after 0 call `release` */
  take({ callsAtOnce, callsPerSecond }: RemoteLenderLimits, urgency: Urgency): number {
    const reservedOf = RESERVED[urgency];
    if (this.atOnce >= callsAtOnce - reservedOf(callsAtOnce)) return WAIT_WHEN_FULL_MS;
    this.fill(callsPerSecond);
    const missing = 1 + reservedOf(callsPerSecond) - this.tokens;
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
