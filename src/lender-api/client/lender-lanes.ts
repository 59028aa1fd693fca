import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Lender, RemoteLenderLimits } from '../../settings/index.js';
import { CallLimits } from './call-limits.js';
import { type CallEnd, CircuitBreaker } from './circuit-breaker.js';
import { LenderCallFailed } from './lender-call-failed.js';
import { LenderCallMetrics } from './lender-call-metrics.js';

const nowMs = () => performance.now();
/** So long a call that somebody waits for waits for its turn. */
const MAX_IN_LINE_MS = 2_000;
/** What a lender asks for at one question holds for all, but not for longer: it may have meant that one. */
const MAX_PAUSE_MS = 60_000;

interface Lane {
  readonly breaker: CircuitBreaker;
  readonly limits: CallLimits;
  /** The lender has asked to be left alone until then. */
  pausedUntil: number;
}

/** A place in a lender's lane; whoever has one says how the call ended, once. */
export interface Place {
  /** @param pauseMs how long the lender asks to be left alone */
  leave(ended: CallEnd, pauseMs?: number): void;
}

/** Why there is no place now, and when to look again. */
interface Refusal {
  readonly failure: 'asked_to_wait' | 'breaker_open' | 'limited';
  readonly waitMs: number;
}

const REASONS: Readonly<Record<Refusal['failure'], string>> = {
  asked_to_wait: 'the lender has asked to be left alone',
  breaker_open: 'the lender did not answer and is left alone',
  limited: 'as much is asked of the lender as it takes',
};

/** What this process asks of each lender: within its limits, and not while it does not answer. */
@Injectable()
export class LenderLanes {
  private readonly lanes = new Map<string, Lane>();

  constructor(private readonly metrics: LenderCallMetrics) {}

  /**
   * @param isWaitedFor by somebody: the call waits for its turn for a moment
   * @throws LenderCallFailed when the lender is not to be asked now
   */
  async enter(lender: Lender, limits: RemoteLenderLimits, isWaitedFor: boolean): Promise<Place> {
    const lane = this.laneOf(lender.code);
    const until = nowMs() + (isWaitedFor ? MAX_IN_LINE_MS : 0);
    for (;;) {
      const entered = this.tryToEnter(lane, lender.code, limits, isWaitedFor);
      if ('leave' in entered) return entered;
      const { failure, waitMs } = entered;
      if (failure !== 'limited' || nowMs() + waitMs > until) {
        throw new LenderCallFailed(failure, REASONS[failure], { askAgainInMs: waitMs });
      }
      await sleep(waitMs);
    }
  }

  private tryToEnter(
    lane: Lane,
    lenderCode: string,
    limits: RemoteLenderLimits,
    isWaitedFor: boolean,
  ): Place | Refusal {
    const paused = lane.pausedUntil - nowMs();
    if (paused > 0) return { failure: 'asked_to_wait', waitMs: paused };
    const admission = lane.breaker.admit();
    if (admission.kind === 'OPEN') return { failure: 'breaker_open', waitMs: admission.waitMs };
    const waitMs = lane.limits.take(limits, isWaitedFor);
    if (waitMs > 0) {
      admission.end('UNTOLD');
      return { failure: 'limited', waitMs };
    }
    return {
      leave: (ended, pauseMs = 0) => {
        lane.limits.release();
        admission.end(ended);
        lane.pausedUntil = Math.max(lane.pausedUntil, nowMs() + Math.min(pauseMs, MAX_PAUSE_MS));
        this.metrics.breakerOpen.set({ lender: lenderCode }, lane.breaker.isOpen ? 1 : 0);
      },
    };
  }

  /** Whether the lender is left alone because it did not answer. */
  isOpen(lenderCode: string): boolean {
    return this.lanes.get(lenderCode)?.breaker.isOpen ?? false;
  }

  private laneOf(lenderCode: string): Lane {
    const lane = this.lanes.get(lenderCode) ?? {
      breaker: new CircuitBreaker(nowMs),
      limits: new CallLimits(nowMs),
      pausedUntil: 0,
    };
    this.lanes.set(lenderCode, lane);
    return lane;
  }
}
