import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Lender, RemoteLenderLimits } from '../../settings/index.js';
import { CallLimits } from './call-limits.js';
import { type CallEnd, CircuitBreaker } from './circuit-breaker.js';
import { LenderCallFailed } from './lender-call-failed.js';
import { LenderCallMetrics } from './lender-call-metrics.js';

const nowMs = () => performance.now();
/** The longest that a waiting caller's call queues. */
const MAX_IN_LINE_MS = 2_000;
/** A longer pause may have been meant for one question only. */
const MAX_PAUSE_MS = 60_000;

interface Lane {
  readonly breaker: CircuitBreaker;
  readonly limits: CallLimits;
  /** By the lender's request. */
  pausedUntil: number;
}

/** Admission to call a lender. */
export interface Place {
  /** @param pauseMs the pause that the lender requests */
  leave(ended: CallEnd, pauseMs?: number): void;
}

interface Refusal {
  readonly failure: 'asked_to_wait' | 'breaker_open' | 'limited';
  readonly waitMs: number;
}

const REASONS: Readonly<Record<Refusal['failure'], string>> = {
  asked_to_wait: 'the lender has asked to be left alone',
  breaker_open: 'the lender did not answer and is left alone',
  limited: 'as much is asked of the lender as it takes',
};

/** Admits this process's calls to each lender, by its limits, its requested pause and its breaker. */
@Injectable()
export class LenderLanes {
  private readonly lanes = new Map<string, Lane>();

  constructor(private readonly metrics: LenderCallMetrics) {}

  /**
   * @param isWaitedFor whether a caller waits: the call queues for a moment
   * @throws LenderCallFailed when the lender may not be called now
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

  /** Whether calls are suspended because the lender did not answer. */
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
