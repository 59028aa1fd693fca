import { lastInstalment, type Paise, paiseToRupees } from '../../loans/index.js';
import {
  type LenderWithoutOffer,
  OFFER_METRIC,
  STANDINGS_WITHOUT_OFFER,
} from '../../matching/index.js';
import {
  ShownChoice,
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
import {
  LOAN_AMOUNT_SOURCE_TEXT,
  LOAN_AMOUNT_SOURCES,
  type LoanAmountSource,
  ShownClientReference,
  ShownMetadata,
} from '../../leads/index.js';
import { INSTANT_PRODUCT } from '../../settings/index.js';
import { CHANNELS, JOURNEY_PRODUCTS } from './initiate-body.dto.js';
import type { LoanFigures } from '../domain/journey.js';
import type { Journey } from '../store/journey.entity.js';
import { NextActionView } from './next-action-view.js';
import type { Offer } from '../store/offer.entity.js';
import {
  JOURNEY_STATES,
  type Outcome,
  OUTCOME_REASONS,
  OUTCOMES,
} from '../domain/journey-state.js';
import { stateLines } from '../domain/next-action.js';

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

class LenderWithoutOfferView {
  @ShownText('The lender.', 'Tarang Udyam Finance Limited')
  readonly name: string;

  @ShownChoice(
    'DECLINED: it makes no offer. UNREACHABLE: it could not be reached. NO_ANSWER: it did not answer in ' +
      'time. OFFER_REFUSED: our check of its offer’s figures failed.',
    STANDINGS_WITHOUT_OFFER,
  )
  readonly standing: LenderWithoutOffer['standing'];
}

/** Amounts in rupees, tenure in months, rates in percent a year. */
class OfferView {
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

  @ShownRupees('The amount paid out: the principal less the charges, in rupees.', 195_080)
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

class SelectedOfferView extends OfferView {
  @ShownRupees('The chosen amount, in rupees.', 150_000)
  readonly loanAmount: number;

  @ShownObject(() => BranchLocationView, 'Gold loans: the chosen branch.', {
    optional: true,
  })
  readonly branchLocation?: BranchLocationView;
}

class DisbursementView {
  @ShownRupees('The amount paid out, in rupees.', 195_080)
  readonly amount: number;

  @ShownText('The bank’s reference of the transfer (UTR).', 'HDFCR52026013112345678')
  readonly utr: string;

  @ShownTime('When the lender paid out.')
  readonly paidAt: string;

  @ShownText('The lender’s number of the loan, if it reported one.', 'NAV-2026-000123', {
    optional: true,
  })
  readonly loanReference?: string;

  @ShownText('The last four digits of the account, if the lender reported them.', '9012', {
    optional: true,
  })
  readonly accountLastFour?: string;
}

export class JourneyView {
  @ShownId('jrn', 'The journey.')
  readonly journeyId: string;

  @ShownId('app', 'The journey’s lead.')
  readonly applicationId: string;

  @ShownClientReference()
  readonly clientReferenceId?: string;

  @ShownMetadata()
  readonly metadata?: Readonly<Record<string, string>>;

  @ShownChoice('The catalogue’s code, even if you sent an older name.', [
    ...JOURNEY_PRODUCTS,
    INSTANT_PRODUCT,
  ])
  readonly productCode: string;

  @ShownChoice('Hosted or headless.', CHANNELS)
  readonly channel: string;

  @ShownChoice(`The journey’s state:\n\n${stateLines()}`, JOURNEY_STATES)
  readonly state: string;

  @ShownRupees('The requested amount, in rupees.', 200_000)
  readonly loanAmount: number;

  @ShownChoice(LOAN_AMOUNT_SOURCE_TEXT, LOAN_AMOUNT_SOURCES)
  readonly loanAmountSource: LoanAmountSource;

  @ShownObject(() => NextActionView, 'The next step.')
  readonly currentNextAction: NextActionView;

  @ShownList(() => OfferView, 'The lenders’ offers, lowest APR first.')
  readonly offers: readonly OfferView[];

  @ShownList(
    () => LenderWithoutOfferView,
    'Lenders that were asked but have no offer, once offers are available.',
    { optional: true },
  )
  readonly lendersWithoutOffer?: readonly LenderWithoutOfferView[];

  @ShownObject(
    () => SelectedOfferView,
    'The chosen offer, quoted for the chosen amount; null before the choice.',
    {
      nullable: true,
    },
  )
  readonly selectedOffer: SelectedOfferView | null;

  @ShownChoice('How the journey ended, or IN_PROGRESS.', OUTCOMES)
  readonly outcome: Outcome;

  @ShownChoice('Why it was rejected, or that the applicant stopped it.', OUTCOME_REASONS, {
    optional: true,
  })
  readonly outcomeReason?: string;

  @ShownNumber('Seconds to wait before reading the journey again.', 2)
  readonly pollIntervalSeconds: number;

  @ShownTime('When the journey started.')
  readonly createdAt: string;

  @ShownTime('When the journey last changed.')
  readonly updatedAt: string;

  @ShownTime('When the lender paid out.', { optional: true })
  readonly disbursedAt?: string;

  @ShownObject(() => DisbursementView, 'The payout, once the journey is `SANCTIONED`.', {
    optional: true,
  })
  readonly disbursement?: DisbursementView;
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

/** Null before the payout. */
export function disbursementView({ payout, disbursedAt }: Journey): DisbursementView | null {
  if (payout === null || disbursedAt === null) return null;
  const { amount, transferReference, loanReference, accountLastFour } = payout;
  return {
    amount: paiseToRupees(amount),
    utr: transferReference,
    paidAt: disbursedAt.toISOString(),
    ...(loanReference !== undefined && { loanReference }),
    ...(accountLastFour !== undefined && { accountLastFour }),
  };
}

export function selectedOfferView(journey: Journey, shown: ShownOffer): SelectedOfferView | null {
  const { selection } = journey;
  if (!selection) return null;
  const branch = branchViews(journey, shown.offer).find(({ isSelected }) => isSelected);
  return {
    ...offerFields(journey, shown, selection.loanAmount, selection),
    loanAmount: paiseToRupees(selection.loanAmount),
    ...(branch && { branchLocation: branch }),
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
