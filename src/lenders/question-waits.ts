import { Injectable } from '@nestjs/common';
import { Clock, exponentialBackoff, RandomSource } from '../platform/index.js';
import type { ClaimedQuestion, FailureFlag, QuestionOutcome } from './claimed-question.js';
import { type LenderReply } from './lender-port.js';
import { LenderUnavailable } from './lender-gateway.js';

type PendingReply = Extract<LenderReply, { status: 'PENDING' }>;

const HOUR_MS = 3_600_000;
const JITTER = 0.2;
const FAILURE_BACKOFF = { firstMs: 500, maxMs: 60_000, jitter: JITTER };
const PENDING_BACKOFF = { firstMs: 1_000, maxMs: 60_000, jitter: JITTER };
// No caller waits for a withdrawal.
const MAX_WITHDRAWAL_WAIT_MS = HOUR_MS;
const WITHDRAWAL_ENDS_MS = 7 * 24 * HOUR_MS;
/** For these first polls the lender's interval applies unchanged. */
const FREE_POLLS = 20;
/** A payout or step that fails for longer is flagged. */
const SILENT_MS = 3 * HOUR_MS;

@Injectable()
export class QuestionWaits {
  constructor(
    private readonly clock: Clock,
    private readonly random: RandomSource,
  ) {}

  pending(row: ClaimedQuestion, reply: PendingReply): QuestionOutcome {
    if (this.hasEnded(row)) return { kind: 'GIVEN_UP', failure: 'still not known' };
    const { askAgainInMs, isSessionOpen = false } = reply;
    const polls = row.attempts - row.failures;
    if (askAgainInMs === undefined) {
      return { kind: 'PENDING', waitMs: this.pollWait(polls), isSessionOpen };
    }
    const least = polls > FREE_POLLS ? this.pollWait(polls - FREE_POLLS) : 0;
    return { kind: 'PENDING', waitMs: Math.max(this.spread(askAgainInMs), least), isSessionOpen };
  }

  failed(row: ClaimedQuestion, error: unknown): QuestionOutcome {
    const failure = error instanceof Error ? error.message : 'unknown';
    if (this.hasEnded(row)) return { kind: 'GIVEN_UP', failure };
    const unavailable = error instanceof LenderUnavailable ? error : null;
    const bounds = isWithdrawal(row)
      ? { ...FAILURE_BACKOFF, maxMs: MAX_WITHDRAWAL_WAIT_MS }
      : FAILURE_BACKOFF;
    const backoff = exponentialBackoff(row.failures + 1, bounds, this.random.fraction());
    return {
      kind: 'FAILED',
      failure,
      waitMs: Math.max(backoff, this.spread(unavailable?.askAgainInMs ?? 0)),
      isSuspended: unavailable?.isSuspended ?? false,
      flag: this.flagOf(row, unavailable),
    };
  }

  switchedOff(row: ClaimedQuestion): QuestionOutcome {
    const failure = 'the lender is switched off';
    if (this.hasEnded(row)) return { kind: 'GIVEN_UP', failure };
    return { kind: 'FAILED', failure, waitMs: this.spread(HOUR_MS), isSuspended: true };
  }

  private hasEnded(row: ClaimedQuestion): boolean {
    return isWithdrawal(row) && this.hasPassed(row.createdAt, WITHDRAWAL_ENDS_MS);
  }

  private flagOf(row: ClaimedQuestion, error: LenderUnavailable | null): FailureFlag | undefined {
    if (row.flaggedAt !== null) return undefined;
    if (error?.isInvalidQuestion) return 'INVALID_QUESTION';
    // The other kinds are flagged elsewhere when they end.
    const isMissed = row.kind !== 'OFFERS' && !isWithdrawal(row);
    const { failingSince } = row;
    const isSilent = failingSince !== null && this.hasPassed(failingSince, SILENT_MS);
    return isMissed && isSilent ? 'LENDER_SILENT' : undefined;
  }

  private hasPassed(since: Date, milliseconds: number): boolean {
    return this.clock.now().getTime() - since.getTime() > milliseconds;
  }

  private pollWait(polls: number): number {
    return exponentialBackoff(polls, PENDING_BACKOFF, this.random.fraction());
  }

  /** Jitter, so that questions with the same wait are not retried together. */
  private spread(milliseconds: number): number {
    return Math.round(milliseconds * (1 + JITTER * this.random.fraction()));
  }
}

function isWithdrawal({ kind }: ClaimedQuestion): boolean {
  return kind === 'WITHDRAWAL';
}
