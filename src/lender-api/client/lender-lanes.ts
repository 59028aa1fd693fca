import { Injectable } from '@nestjs/common';
import type { Lender, RemoteLenderLimits } from '../../settings/index.js';
import { CallLimits } from './call-limits.js';
import { CircuitBreaker } from './circuit-breaker.js';
import { LenderCallFailed } from './lender-call-failed.js';
import { LenderCallMetrics } from './lender-call-metrics.js';

const nowMs = () => performance.now();

interface Lane {
  readonly breaker: CircuitBreaker;
  limits: CallLimits;
  made: RemoteLenderLimits;
}

/** A place in a lender's lane; whoever has one says how the call ended, once. */
export interface Place {
  leave(ended: 'ANSWERED' | 'UNKNOWN' | 'UNTOLD'): void;
}

/** What this process asks of each lender: within its limits, and not while it does not answer. */
@Injectable()
export class LenderLanes {
  private readonly lanes = new Map<string, Lane>();

  constructor(private readonly metrics: LenderCallMetrics) {}

  /** @throws LenderCallFailed when the lender is not to be asked now */
  enter(lender: Lender, limits: RemoteLenderLimits): Place {
    const lane = this.laneOf(lender.code, limits);
    const room = lane.limits.take();
    if (room.kind === 'FULL') {
      throw new LenderCallFailed('limited', 'as much is asked of the lender as it takes', {
        askAgainInMs: room.waitMs,
      });
    }
    const admission = lane.breaker.admit();
    if (admission.kind === 'OPEN') {
      room.release();
      throw new LenderCallFailed('breaker_open', 'the lender did not answer and is left alone', {
        askAgainInMs: admission.waitMs,
      });
    }
    return {
      leave: (ended) => {
        room.release();
        if (ended === 'ANSWERED') lane.breaker.succeeded();
        else if (ended === 'UNKNOWN') lane.breaker.failed();
        else lane.breaker.ended();
        this.metrics.breakerOpen.set({ lender: lender.code }, lane.breaker.isOpen ? 1 : 0);
      },
    };
  }

  /** Whether the lender is left alone because it did not answer. */
  isOpen(lenderCode: string): boolean {
    return this.lanes.get(lenderCode)?.breaker.isOpen ?? false;
  }

  private laneOf(code: string, made: RemoteLenderLimits): Lane {
    const known = this.lanes.get(code);
    if (!known) {
      const lane = {
        breaker: new CircuitBreaker(nowMs),
        limits: new CallLimits(made, nowMs),
        made,
      };
      this.lanes.set(code, lane);
      return lane;
    }
    const isSame =
      known.made.callsAtOnce === made.callsAtOnce &&
      known.made.callsPerSecond === made.callsPerSecond;
    if (!isSame) {
      known.limits = new CallLimits(made, nowMs);
      known.made = made;
    }
    return known;
  }
}
