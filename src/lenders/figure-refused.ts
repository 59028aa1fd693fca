import { type Disagreement, formatRupees } from '../loans/index.js';
import type { RefusedOffer } from './question-payload.js';

const PROBLEMS: Readonly<Record<Disagreement['figure'], string>> = {
  instalment: 'INSTALMENT',
  netDisbursed: 'NET_PAYOUT',
  apr: 'APR',
  fee: 'FEES',
};

/** A figure of an offer that does not hold, as lenders and operators read it: theirs and ours. */
export function figureRefused(
  offerReference: string,
  { figure, claimed, computed, percentOfPrincipal }: Disagreement,
): RefusedOffer {
  const text = (value: number) => (figure === 'apr' ? `${value}%` : formatRupees(value));
  return {
    offerReference,
    problem: PROBLEMS[figure],
    stated:
      percentOfPrincipal === undefined
        ? text(claimed)
        : `${text(claimed)} as ${percentOfPrincipal}% of the principal`,
    computed: text(computed),
  };
}
