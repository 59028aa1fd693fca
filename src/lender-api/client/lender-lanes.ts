import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Lender, RemoteLenderLimits } from '../../settings/index.js';
import { PROTOCOL } from '../protocol/transport.js';
import { CallLimits, type Urgency } from './call-limits.js';
import { LenderCallFailed, LenderCallMetrics } from './lender-call-metrics.js';

const FAILURES_TO_OPEN = 8;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_BREAK_MS = 120_000;
const PROBE_MS = PROTOCOL.callSeconds * 1_000;
const LEAST_WAIT_MS = 1_000;

/** `UNTOLD`: the result does not show whether the lender is reachable. */
export type CallEnd = 'ANSWERED' | 'UNKNOWN' | 'UNTOLD';

/** After `ADMITTED` call `end` once. `OPEN`: no call for `waitMs`. */
type Admission =
  | { readonly kind: 'ADMITTED'; readonly end: (how: CallEnd) => void }
  | { readonly kind: 'OPEN'; readonly waitMs: number };

/** After a pause one probe is admitted; other calls wait until it succeeds. */
export class CircuitBreaker {
  private failures = 0;
  private pauseMs = FIRST_PAUSE_MS;
  private openUntil: number | null = null;
  private probingUntil: number | null = null;

  /** @param nowMs a monotonic clock */
  constructor(private readonly nowMs: () => number) {}

  get isOpen(): boolean {
    return this.openUntil !== null;
  }

  admit(): Admission {
    if (this.openUntil === null) return { kind: 'ADMITTED', end: (how) => this.endOne(how) };
    const now = this.nowMs();
    // A retry before the probe's end would be refused again.
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
    // Ignores a call that began before the breaker opened.
    if (this.openUntil === null && this.failures >= FAILURES_TO_OPEN) this.open();
  }

  private endProbe(how: CallEnd): void {
    this.probingUntil = null;
    if (how === 'ANSWERED') this.close();
    // Another call may have closed it.
    if (how !== 'UNKNOWN' || this.openUntil === null) return;
    this.pauseMs = Math.min(2 * this.pauseMs, LONGEST_BREAK_MS);
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

const nowMs = () => performance.now();
const MAX_QUEUE_MS = 2_000;
/** A longer pause may be meant for one question only. */
const MAX_PAUSE_MS = 60_000;

interface Gate {
  readonly breaker: CircuitBreaker;
  pausedUntil: number;
}

interface Lane {
  readonly limits: CallLimits;
  readonly loans: Gate;
  /** A failure of a soft call must not keep a lender from a loan. */
  readonly soft: Gate;
}

interface Refusal {
  readonly failure: 'asked_to_wait' | 'breaker_open' | 'limited';
  readonly waitMs: number;
}

const REASONS: Readonly<Record<Refusal['failure'], string>> = {
  asked_to_wait: 'the lender asked for a pause (Retry-After)',
  breaker_open: 'the lender did not answer; calls to it are paused',
  limited: 'the lender’s limit of concurrent calls is reached',
};

/** Limits hold per process, not across replicas. */
@Injectable()
export class LenderLanes {
  private readonly lanes = new Map<string, Lane>();

  constructor(private readonly metrics: LenderCallMetrics) {}

  /** @throws LenderCallFailed also when the lender may not be called now */
  async run<Answer>(
    { code }: Pick<Lender, 'code'>,
    limits: RemoteLenderLimits,
    urgency: Urgency,
    call: () => Promise<Answer>,
  ): Promise<Answer> {
    const lane = this.laneOf(code);
    const gate = urgency === 'SOFT' ? lane.soft : lane.loans;
    const end = await enter(lane, limits, urgency);
    try {
      const answer = await call();
      end('ANSWERED');
      return answer;
    } catch (error) {
      end(endOf(error));
      const pauseMs = pauseIn(error);
      gate.pausedUntil = Math.max(gate.pausedUntil, nowMs() + Math.min(pauseMs, MAX_PAUSE_MS));
      throw error;
    } finally {
      lane.limits.release();
      this.metrics.breakerOpen.set({ lender: code }, lane.loans.breaker.isOpen ? 1 : 0);
    }
  }

  isOpen(lenderCode: string): boolean {
    return this.lanes.get(lenderCode)?.loans.breaker.isOpen ?? false;
  }

  private laneOf(lenderCode: string): Lane {
    const lane = this.lanes.get(lenderCode) ?? {
      limits: new CallLimits(nowMs),
      loans: newGate(),
      soft: newGate(),
    };
    this.lanes.set(lenderCode, lane);
    return lane;
  }
}

function newGate(): Gate {
  return { breaker: new CircuitBreaker(nowMs), pausedUntil: 0 };
}

async function enter(
  lane: Lane,
  limits: RemoteLenderLimits,
  urgency: Urgency,
): Promise<(how: CallEnd) => void> {
  const until = nowMs() + (urgency === 'WAITED_FOR' ? MAX_QUEUE_MS : 0);
  for (;;) {
    const entered = tryToEnter(lane, limits, urgency);
    if (typeof entered === 'function') return entered;
    const { failure, waitMs } = entered;
    if (failure !== 'limited' || nowMs() + waitMs > until) {
      const refused = new LenderCallFailed(failure, REASONS[failure], { askAgainInMs: waitMs });
      refused.isNotCalled = true;
      throw refused;
    }
    await sleep(waitMs);
  }
}

function tryToEnter(
  { limits, loans, soft }: Lane,
  most: RemoteLenderLimits,
  urgency: Urgency,
): ((how: CallEnd) => void) | Refusal {
  const gate = urgency === 'SOFT' ? soft : loans;
  const paused = Math.max(loans.pausedUntil, gate.pausedUntil) - nowMs();
  if (paused > 0) return { failure: 'asked_to_wait', waitMs: paused };
  // Only a loan's question may be the probe of an unreachable lender.
  if (gate === soft && loans.breaker.isOpen) {
    return { failure: 'breaker_open', waitMs: LEAST_WAIT_MS };
  }
  const admission = gate.breaker.admit();
  if (admission.kind === 'OPEN') return { failure: 'breaker_open', waitMs: admission.waitMs };
  const waitMs = limits.take(most, urgency);
  if (waitMs === 0) return admission.end;
  admission.end('UNTOLD');
  return { failure: 'limited', waitMs };
}

function endOf(error: unknown): CallEnd {
  if (!(error instanceof LenderCallFailed)) return 'UNTOLD';
  switch (error.failure) {
    case 'refused':
      return 'ANSWERED';
    case 'invalid_question':
    case 'asked_to_wait':
    // The error may be of one journey only.
    case 'invalid_answer':
      return 'UNTOLD';
    default:
      return 'UNKNOWN';
  }
}

function pauseIn(error: unknown): number {
  const isAsked = error instanceof LenderCallFailed && error.failure === 'asked_to_wait';
  return isAsked ? (error.askAgainInMs ?? 0) : 0;
}
