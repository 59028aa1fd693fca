import { Browser } from './browser.ts';
import type { Journey, Offer } from '../../clients/node/src/index.ts';
import { annualPercentageRate, monthlyInstalment, rupees } from './loan-arithmetic.ts';
import type { Stage } from './stage.ts';

const HALF_A_RUPEE = 0.5 + 1e-6;
const APR_TOLERANCE = 0.01 + 1e-9;

/** Compares the offers, recomputes their figures and opens each Key Facts Statement. */
export async function compareOffers(stage: Stage, journey: Journey): Promise<Offer> {
  const { offers } = journey;
  stage.checks.that(offers.length > 0, `${offers.length} offers to compare`);
  for (const offer of offers) stage.timeline.tell('partner', describeOffer(offer));
  for (const offer of offers) checkFigures(stage, offer);
  const ascending = offers.every(
    (offer, at) => at === 0 || offer.apr >= (offers[at - 1]?.apr ?? 0),
  );
  stage.checks.that(ascending, 'the offers are sorted by APR, lowest first');
  const lowest = offers.toSorted((first, second) => first.apr - second.apr)[0];
  if (!lowest) throw new Error('There is no offer to choose from.');
  await openKeyFacts(stage, lowest);
  return lowest;
}

function describeOffer(offer: Offer): string {
  return [
    offer.sellerName.padEnd(28),
    rupees(offer.principalAmount),
    `EMI ${rupees(offer.emiAmount)}`,
    `APR ${offer.apr.toFixed(2)} %`,
    `${offer.tenure} months`,
    `fees ${rupees(offer.processingFees)}`,
    `net ${rupees(offer.netDisbursedAmount)}`,
  ].join('  ');
}

function checkFigures(stage: Stage, offer: Offer): void {
  const { principalAmount, interestRate, tenure, processingFees, netDisbursedAmount } = offer;
  const exact = monthlyInstalment(principalAmount, interestRate, tenure);
  const emiAgrees = Math.abs(exact - offer.emiAmount) <= HALF_A_RUPEE;
  stage.checks.that(emiAgrees, `${offer.sellerName}: the EMI is right to the rupee`, exact);
  const apr = annualPercentageRate(netDisbursedAmount, exact, tenure);
  const aprAgrees = Math.abs(apr - offer.apr) <= APR_TOLERANCE;
  stage.checks.that(aprAgrees, `${offer.sellerName}: the APR is right to two decimals`, apr);
  const gap = Math.abs(principalAmount - processingFees - netDisbursedAmount);
  stage.checks.that(gap < 0.005, `${offer.sellerName}: the payout is principal less fees`, gap);
}

/** The statement must open without a login: the applicant gets only its link. */
async function openKeyFacts(stage: Stage, offer: Offer): Promise<void> {
  stage.timeline.tell('applicant', `reads the Key Facts Statement of ${offer.sellerName}`);
  const page = await new Browser().open(offer.kfsLink);
  const readable = page.status === 200 && page.contentType.includes('html') && page.html.length > 0;
  const seen = [page.status, page.contentType];
  stage.checks.that(readable, 'kfsLink opens a page (200, HTML)', seen);
}
