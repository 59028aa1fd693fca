import 'reflect-metadata';
import { describe, expect, it, vi } from 'vitest';
import type { LenderAnswer, WaitingAnswer } from '../../lenders/index.js';
import type { Journey } from '../store/journey.entity.js';
import type { AnswerFlags } from './answer-flags.js';
import type { JourneyMover } from './journey-mover.js';
import { LoanPayouts } from './loan-payouts.js';

const NOW = '2026-11-22T10:00:00Z';
const NET = 195_080_00;
const PAID = { kind: 'PAID', paidAt: NOW, amount: NET, transferReference: 'T1' } as const;
const FAILED = { kind: 'FAILED', reason: 'OTHER' } as const;
const WAITING = {
  state: 'DISBURSEMENT_PENDING',
  createdAt: new Date('2026-11-20T10:00:00Z'),
  selection: { netDisbursed: NET },
} as const;
const PAID_OUT = {
  state: 'SANCTIONED',
  disbursedAt: new Date(NOW),
  payout: { amount: NET, transferReference: 'T1', loanReference: 'L-1' },
} as Partial<Journey>;

async function apply(answer: LenderAnswer, journey: Partial<Journey> = {}, machineTime = NOW) {
  const move = vi.fn<JourneyMover['move']>();
  const raise = vi.fn<AnswerFlags['raise']>();
  const note = () => Promise.resolve();
  const payouts = new LoanPayouts(
    { move } as never,
    { note } as never,
    { openAccount: () => ({ accNo: '123456789012' }) } as never,
    { note },
    { raise } as never,
    { now: () => new Date(NOW) } as never,
    { now: () => new Date(machineTime) } as never,
  );
  const waiting = { answer } as WaitingAnswer;
  const known = { ...WAITING, ...journey } as Journey;
  const isTakenUp = await payouts.apply({} as never, known, waiting);
  return {
    isTakenUp,
    moves: move.mock.calls.map(([, , trigger]) => trigger),
    flags: raise.mock.calls.map(([, , kind, cause]) => `${kind} ${cause}`),
  };
}

describe('an answer about a payout', () => {
  it.each<[LenderAnswer, string[], string[]]>([
    [{ ...PAID, accountLastFour: '9012' }, ['PAID_OUT'], []],
    [{ ...PAID, amount: 1_00 }, ['PAID_OUT'], ['PAYOUT_DIFFERS AMOUNT']],
    [{ ...PAID, accountLastFour: '0000' }, ['PAID_OUT'], ['PAYOUT_DIFFERS ACCOUNT']],
    [{ ...PAID, paidAt: '2026-11-23T10:00:01Z' }, ['PAID_OUT'], ['PAYOUT_DIFFERS TIME']],
    [{ ...PAID, paidAt: '2026-11-19T09:59:59Z' }, ['PAID_OUT'], ['PAYOUT_DIFFERS TIME']],
    [FAILED, ['PAYOUT_REFUSED'], []],
    [{ ...FAILED, kind: 'REFUSED' }, ['PAYOUT_REFUSED'], []],
    [{ ...FAILED, kind: 'DECLINED' }, ['PAYOUT_REFUSED'], []],
    [{ kind: 'PASSED' }, [], ['UNREADABLE_ANSWER PASSED']],
  ])('%o makes the moves %o and the flags %o', async (answer, moves, flags) => {
    expect(await apply(answer)).toEqual({ isTakenUp: true, moves, flags });
  });

  it('may have the machine’s time while the sandbox’s is ahead', async () => {
    const paidAt = '2026-10-22T10:00:00Z';
    expect(await apply({ ...PAID, paidAt }, {}, paidAt)).toMatchObject({ flags: [] });
  });

  it.each<[LenderAnswer, Partial<Journey>, boolean]>([
    [{ ...PAID, loanReference: 'L-1' }, PAID_OUT, true],
    [{ ...PAID, loanReference: 'L-2' }, PAID_OUT, false],
    [{ ...PAID, loanReference: 'L-1', amount: 1 }, PAID_OUT, false],
    [{ ...PAID, loanReference: 'L-1', transferReference: 'T9' }, PAID_OUT, false],
    [{ ...PAID, loanReference: 'L-1', paidAt: '2026-11-23T10:00:00Z' }, PAID_OUT, false],
    [FAILED, PAID_OUT, false],
    [FAILED, { state: 'REJECTED', outcomeReason: 'DISBURSEMENT_FAILED' }, true],
    [PAID, { state: 'REJECTED', outcomeReason: 'DISBURSEMENT_FAILED', payout: null }, false],
  ])('%o after %o moves nothing and agrees: %s', async (answer, journey, isTakenUp) => {
    expect(await apply(answer, journey)).toEqual({ isTakenUp, moves: [], flags: [] });
  });
});
