import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INSTANT_LOAN_STATUSES, type InstantLoanStatus, isOver } from './instant-loan-status.js';
import { type InstantLoanTrigger, transition, TRANSITIONS } from './transition-table.js';

const TRIGGERS: InstantLoanTrigger[] = [
  'LENDERS_DECLINED',
  'LENDERS_SILENT',
  'PAID',
  'TRY_FAILED',
  'TIME_RAN_OUT',
  'WITHDRAWN',
  'LENDER_GONE',
  'OFFER_LET_GO',
  'SANCTIONED',
  'DECLINED',
];

function walk(triggers: readonly InstantLoanTrigger[]): InstantLoanStatus[] {
  const path: InstantLoanStatus[] = ['PAYMENT_PENDING'];
  for (const trigger of triggers) path.push(transition(path.at(-1)!, trigger) ?? path.at(-1)!);
  return path;
}

const anyTriggers = fc.array(fc.constantFrom(...TRIGGERS), { maxLength: 30 });

describe('the transitions of an instant loan', () => {
  it('are these and no others', () => {
    const moves = INSTANT_LOAN_STATUSES.flatMap((from) =>
      Object.entries(TRANSITIONS[from]).map(([trigger, to]) => `${from} ${trigger} ${to}`),
    );
    expect(moves).toEqual([
      'PAYMENT_PENDING LENDERS_DECLINED REJECTED',
      'PAYMENT_PENDING LENDERS_SILENT REJECTED',
      'PAYMENT_PENDING PAID PAYMENT_RECEIVED',
      'PAYMENT_PENDING TRY_FAILED PAYMENT_FAILED',
      'PAYMENT_PENDING TIME_RAN_OUT EXPIRED',
      'PAYMENT_PENDING WITHDRAWN EXPIRED',
      'PAYMENT_PENDING LENDER_GONE EXPIRED',
      'PAYMENT_FAILED OFFER_LET_GO PAYMENT_PENDING',
      'PAYMENT_FAILED PAID PAYMENT_RECEIVED',
      'PAYMENT_FAILED TIME_RAN_OUT EXPIRED',
      'PAYMENT_FAILED WITHDRAWN EXPIRED',
      'PAYMENT_RECEIVED SANCTIONED SANCTIONED',
      'PAYMENT_RECEIVED DECLINED REJECTED',
    ]);
  });

  it('lead nowhere from where an application is over', () => {
    fc.assert(
      fc.property(anyTriggers, (triggers) => {
        const path = walk(triggers);
        const ends = path.filter(isOver);
        expect(new Set(ends).size).toBeLessThanOrEqual(1);
        expect(path.slice(path.length - ends.length)).toEqual(ends);
      }),
    );
  });

  it('sanction an application only after the fee was paid, and reject it before for want of an offer', () => {
    fc.assert(
      fc.property(anyTriggers, (triggers) => {
        const path = walk(triggers);
        const last = path.at(-1)!;
        if (last !== 'SANCTIONED' && last !== 'REJECTED') return;
        const isPaid = path.includes('PAYMENT_RECEIVED');
        const first = triggers[path.indexOf(last) - 1];
        expect(isPaid || first === 'LENDERS_DECLINED' || first === 'LENDERS_SILENT').toBe(true);
        expect(isPaid || last === 'REJECTED').toBe(true);
      }),
    );
  });

  it('give the same status whatever the order in which tries and the payment are told of', () => {
    const news = fc.array(fc.constantFrom<InstantLoanTrigger>('PAID', 'TRY_FAILED'), {
      minLength: 1,
    });
    fc.assert(
      fc.property(news, (triggers) => {
        const expected = triggers.includes('PAID') ? 'PAYMENT_RECEIVED' : 'PAYMENT_FAILED';
        expect(walk(triggers).at(-1)).toBe(expected);
        expect(walk(triggers.toReversed()).at(-1)).toBe(expected);
      }),
    );
  });
});
