import { describe, expect, it } from 'vitest';
import type { Clock, RandomSource } from '../platform/index.js';
import type { ClaimedQuestion, QuestionOutcome } from './claimed-question.js';
import { LenderUnavailable } from './lender-gateway.js';
import { QuestionWaits } from './question-waits.js';

const NOW = new Date('2026-11-22T10:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const waits = new QuestionWaits(
  { now: () => NOW } as Clock,
  { fraction: () => 0.5 } as RandomSource,
);

function question(changes: Partial<ClaimedQuestion> = {}): ClaimedQuestion {
  return {
    kind: 'MANDATE',
    attempts: 1,
    failures: 0,
    failingSince: null,
    flaggedAt: null,
    createdAt: NOW,
    ...changes,
  } as ClaimedQuestion;
}

const ago = (milliseconds: number) => new Date(NOW.getTime() - milliseconds);
const waitOf = (outcome: QuestionOutcome) => ('waitMs' in outcome ? outcome.waitMs : null);
const pending = (attempts: number, askAgainInMs: number) =>
  waitOf(waits.pending(question({ attempts }), { status: 'PENDING', askAgainInMs }));
const failed = (changes: Partial<ClaimedQuestion>, error: Error = new LenderUnavailable('down')) =>
  waits.failed(question(changes), error);

describe('a question that its lender has', () => {
  it('is put again when the lender likes, a little later than it said', () => {
    expect(pending(1, 10_000)).toBe(11_000);
    expect(pending(500, 6 * HOUR)).toBe(396 * MINUTE);
  });

  it('is not put every second for ever', () => {
    const every = [20, 21, 22, 24, 60].map((attempts) => pending(attempts, 1_000));
    expect(every).toEqual([1_100, 1_100, 2_200, 8_800, 66_000]);
  });
});

describe('a question that fails', () => {
  it('is put again after a wait that doubles up to a minute, of a withdrawal to an hour', () => {
    expect(waitOf(failed({ failures: 3 }))).toBe(4_400);
    expect(waitOf(failed({ failures: 40 }))).toBe(66_000);
    expect(waitOf(failed({ kind: 'WITHDRAWAL', failures: 40 }))).toBe(66 * MINUTE);
  });

  it('is not put before its lender wants to be asked', () => {
    const later = new LenderUnavailable('busy', { askAgainInMs: 600_000 });
    expect(waitOf(failed({}, later))).toBe(660_000);
  });

  it.each([
    ['KYC', 2, undefined, undefined],
    ['KYC', 4, undefined, 'LENDER_SILENT'],
    ['DISBURSEMENT', 4, undefined, 'LENDER_SILENT'],
    ['KYC', 4, NOW, undefined],
    // When an offer request ends, it raises another flag.
    ['OFFERS', 4, undefined, undefined],
  ] as const)('%s for %i hours, flagged %s: its flag is %s', (kind, hours, flaggedAt, flag) => {
    const outcome = failed({ kind, failingSince: ago(hours * HOUR), flaggedAt: flaggedAt ?? null });
    expect('flag' in outcome ? outcome.flag : undefined).toBe(flag);
  });

  it('because it does not hold in itself is put before the operator at once', () => {
    const mistake = new LenderUnavailable('lacks consent');
    mistake.isInvalidQuestion = true;
    expect(failed({}, mistake)).toMatchObject({ flag: 'INVALID_QUESTION' });
  });
});

describe('a withdrawal', () => {
  const old = question({ kind: 'WITHDRAWAL', createdAt: ago(169 * HOUR) });

  it('is given up after seven days, however it is answered', () => {
    expect(waits.failed(old, new LenderUnavailable('down'))).toMatchObject({ kind: 'GIVEN_UP' });
    expect(waits.pending(old, { status: 'PENDING' })).toMatchObject({ kind: 'GIVEN_UP' });
    expect(waits.switchedOff(old)).toMatchObject({ kind: 'GIVEN_UP' });
    const payout = failed({ kind: 'DISBURSEMENT', createdAt: ago(999 * HOUR) });
    expect(payout.kind).toBe('FAILED');
  });

  it('to a lender that is switched off waits for it', () => {
    const young = question({ kind: 'WITHDRAWAL' });
    expect(waits.switchedOff(young)).toMatchObject({ kind: 'FAILED', waitMs: 66 * MINUTE });
  });
});
