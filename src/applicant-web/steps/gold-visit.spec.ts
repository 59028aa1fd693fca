import { describe, expect, it } from 'vitest';
import type { HostedOffer, PossibleValuation } from '../../journeys/index.js';
import { written } from '../../platform/index.js';
import { owedIn } from '../entry/left-behind.js';
import { goldFolds, goldRows } from '../offers/gold-folds.js';
import { backFold, bringFold, goldLeft } from './gold-visit.js';

type Terms = HostedOffer['terms'];
type Pledge = NonNullable<Terms['pledge']>;

function termsWith(pledge?: Pledge): Terms {
  const branches = [{ name: 'Jayanagar' }];
  return { branches, pledge, contact: { phone: '1800 000 2270' } } as unknown as Terms;
}

function gistsOf(pledge?: Pledge): string[] {
  const terms = termsWith(pledge);
  const folds = [...goldFolds(terms), backFold(terms), bringFold(terms, null)];
  return folds.map(({ gist }) => written(gist, 'en'));
}

describe('what a lender of a gold loan says of the gold', () => {
  it('is its own word', () => {
    const pledge: Pledge = {
      valuationWithoutLoan: 177_00,
      auctionNoticeDays: 21,
      returnWithinWorkingDays: 2,
      lateReturnPerDay: 5_000_00,
      documents: ['IDENTITY', 'PAN'],
    };
    expect(gistsOf(pledge)).toEqual([
      '₹177 after valuation; you keep your gold',
      'Gold may be auctioned after 21 days’ notice',
      'Within 2 working days of repaying',
      'ID, PAN card',
    ]);
    expect(written(backFold(termsWith(pledge)), 'en').texts[0]).toContain(
      'it pays you ₹5,000 a day',
    );
  });

  it('is what the RBI asks where its terms have none', () => {
    expect(gistsOf()).toEqual([
      'Ask first what the valuation costs; you keep your gold',
      'Gold may be auctioned after a notice',
      'Within 7 working days of repaying',
      'Ask the lender which papers to bring.',
    ]);
    expect(written(backFold(termsWith()), 'en').texts[0]).toContain(
      'it must pay you for the delay',
    );
  });
});

it('the branch of an offer has no distance where the applicant’s place is not known', () => {
  const rows = goldRows(termsWith(), { from: null, withinKm: 50 });
  expect(written(rows, 'en')).toContainEqual({ label: 'Branch', value: 'Jayanagar' });
});

describe('an applicant who stops after a branch could have valued the gold', () => {
  const at = (lenderName: string, valuationWithoutLoan?: number) =>
    ({ lenderName, terms: termsWith({ valuationWithoutLoan }) }) as unknown as PossibleValuation;
  const OWED = 'There is no loan to pay back.';
  const PAY_ONE = 'Already valued? Then you pay One ₹177 for the valuation, GST included.';
  const ASK_TWO = 'Already valued? Ask Two what you pay for the valuation.';
  const UNVALUED = 'Gold not valued? It’s free.';

  it.each([
    ['nothing without a branch', [], 'You owe nothing.'],
    ['nothing to a lender that values for free', [at('One', 0)], `${OWED} The valuation is free.`],
    ['what the lender charges', [at('One', 177_00)], `${OWED} ${PAY_ONE} ${UNVALUED}`],
    ['what the lender says', [at('Two')], `${OWED} ${ASK_TWO} ${UNVALUED}`],
    [
      'each lender that may charge',
      [at('One', 177_00), at('Free', 0), at('Two')],
      `${OWED} ${PAY_ONE} ${ASK_TWO} ${UNVALUED}`,
    ],
  ])('owes %s', (_, valuations, said) => {
    expect(written(owedIn(goldLeft(valuations)), 'en')).toBe(said);
  });
});
