import { lastInstalment, type Paise, paiseToRupees } from '../../loans/index.js';
import { OFFER_METRIC } from '../../matching/index.js';
import {
  ShownCount,
  ShownFlag,
  ShownId,
  ShownList,
  ShownNumber,
  ShownObject,
  ShownRupees,
  ShownText,
  ShownTime,
  ShownUrl,
} from '../../platform/index.js';
import type { LoanFigures } from '../domain/journey.js';
import type { Journey } from '../store/journey.entity.js';
import type { Offer } from '../store/offer.entity.js';

class BranchLocationView {
  @ShownId('brn', 'The branchLocationId for SELECT_GOLD_LOAN_BRANCH.')
  readonly id: string;

  @ShownText('The branch’s name.', 'Andheri West')
  readonly branchName: string;

  @ShownText('Its address.', '14 Veera Desai Road, Andheri West, Mumbai 400053')
  readonly address: string;

  @ShownNumber('Degrees north.', 19.1364)
  readonly latitude: number;

  @ShownNumber('Degrees east.', 72.8296)
  readonly longitude: number;

  @ShownFlag('Whether the applicant brings the gold here.')
  readonly isSelected: boolean;
}

class ContingentChargeView {
  @ShownText('The reason for the charge.', 'Late payment')
  readonly name: string;

  @ShownText('The amount or rate, and when it applies.', '2% a month on the overdue instalment')
  readonly description: string;
}

/** Amounts in rupees, tenure in months, rates in percent a year. */
export class OfferView {
  @ShownId('off', 'The offerId for SELECT_OFFER.')
  readonly offerId: string;

  @ShownText('The lender.', 'Navdhara Capital Limited')
  readonly sellerName: string;

  @ShownText('The lender’s code, as in `GET /products`.', 'navdhara')
  readonly lenderCode: string;

  @ShownRupees('The loan amount, in rupees.', 200_000)
  readonly principalAmount: number;

  @ShownRupees('The monthly instalment, in rupees.', 6_594)
  readonly emiAmount: number;

  @ShownRupees(
    'The last instalment, in rupees. It differs because the others are rounded.',
    6_603,
    { optional: true },
  )
  readonly lastEmiAmount?: number;

  @ShownCount('In months.', 36)
  readonly tenure: number;

  @ShownNumber('In percent a year.', 11.49)
  readonly interestRate: number;

  @ShownNumber('Annual percentage rate, by the method of the RBI’s Key Facts Statement.', 13.23)
  readonly apr: number;

  @ShownRupees('All one-time charges, in rupees.', 4_920)
  readonly processingFees: number;

  @ShownRupees(
    'The amount paid out: the principal less the charges, unless they are paid before (FEE), in rupees.',
    195_080,
  )
  readonly netDisbursedAmount: number;

  @ShownRupees('The smallest amount of this offer, in rupees.', 1_000)
  readonly minimumLoanAmount: number;

  @ShownUrl(
    'The Key Facts Statement: a page to display to the applicant.',
    'https://rinpath.example/kfs/token',
  )
  readonly kfsLink: string;

  @ShownTime('The offer cannot be selected after this time.')
  readonly validUntil: string;

  @ShownList(() => ContingentChargeView, 'Charges that apply only in certain cases.', {
    optional: true,
  })
  readonly contingentCharges?: readonly ContingentChargeView[];

  @ShownCount('Days after the payout during which the applicant may exit without penalty.', 3, {
    optional: true,
  })
  readonly coolingOffDays?: number;

  @ShownCount('Rank among the offers, from 1, while offers can be chosen.', 1, { optional: true })
  readonly rank?: number;

  @ShownText('The ranking metric and its version, while offers can be chosen.', OFFER_METRIC, {
    optional: true,
  })
  readonly metric?: string;

  @ShownList(() => BranchLocationView, 'Gold loans: branches that take the gold; otherwise empty.')
  readonly branchLocations: readonly BranchLocationView[];
}

export class SelectedOfferView extends OfferView {
  @ShownRupees('The chosen amount, in rupees.', 150_000)
  readonly loanAmount: number;

  @ShownObject(() => BranchLocationView, 'Gold loans: the chosen branch.', {
    optional: true,
  })
  readonly branchLocation?: BranchLocationView;
}

interface ShownOffer {
  readonly offer: Offer;
  /** From 1; null while the offers are not compared. */
  readonly rank: number | null;
  readonly kfsLink: string;
}

export function offerView(journey: Journey, shown: ShownOffer): OfferView {
  const { offer } = shown;
  return offerFields(journey, shown, offer.principal, offer.figures);
}

function offerFields(
  journey: Journey,
  { offer, rank, kfsLink }: ShownOffer,
  amount: Paise,
  figures: LoanFigures,
) {
  const last = lastInstalment(amount, figures.annualRatePercent, figures.tenureMonths);
  return {
    offerId: offer.id,
    sellerName: offer.sellerName,
    lenderCode: offer.lenderCode,
    principalAmount: paiseToRupees(amount),
    emiAmount: paiseToRupees(figures.instalment),
    lastEmiAmount: paiseToRupees(last),
    tenure: figures.tenureMonths,
    interestRate: figures.annualRatePercent,
    apr: figures.apr,
    processingFees: paiseToRupees(figures.processingFees),
    netDisbursedAmount: paiseToRupees(figures.netDisbursed),
    minimumLoanAmount: paiseToRupees(offer.minimumAmount),
    kfsLink,
    validUntil: offer.validUntil.toISOString(),
    contingentCharges: offer.terms.contingentCharges,
    coolingOffDays: offer.terms.coolingOffDays,
    ...(rank !== null && { rank, metric: OFFER_METRIC }),
    branchLocations: branchViews(journey, offer),
  };
}

export function selectedOfferView(journey: Journey, shown: ShownOffer): SelectedOfferView | null {
  const { selection } = journey;
  if (!selection) return null;
  const branch = branchViews(journey, shown.offer).find(({ isSelected }) => isSelected);
  return {
    ...offerFields(journey, shown, selection.loanAmount, selection),
    loanAmount: paiseToRupees(selection.loanAmount),
    branchLocation: branch,
  };
}

function branchViews(journey: Journey, offer: Offer): BranchLocationView[] {
  return offer.terms.branches.map(({ id, name, address, latitude, longitude }) => ({
    id,
    branchName: name,
    address,
    latitude,
    longitude,
    isSelected: offer.id === journey.selectedOfferId && id === journey.selectedBranchId,
  }));
}
