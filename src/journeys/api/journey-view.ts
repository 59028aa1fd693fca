import { paiseToRupees } from '../../loans/index.js';
import { type LenderWithoutOffer, STANDINGS_WITHOUT_OFFER } from '../../matching/index.js';
import {
  ShownChoice,
  ShownId,
  ShownList,
  ShownNumber,
  ShownObject,
  ShownRupees,
  ShownText,
  ShownTime,
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
import type { Journey } from '../store/journey.entity.js';
import { NextActionView } from './next-action-view.js';
import {
  JOURNEY_STATES,
  type Outcome,
  OUTCOME_REASONS,
  OUTCOMES,
} from '../domain/journey-state.js';
import { stateLines } from '../domain/next-action.js';
import { OfferView, SelectedOfferView } from './offer-view.js';

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

  @ShownTime('When the lender paid out; none for an instant loan.', { optional: true })
  readonly disbursedAt?: string;

  @ShownObject(
    () => DisbursementView,
    'The payout, once the journey is `SANCTIONED`. An instant loan has none: lenders do not report it.',
    {
      optional: true,
    },
  )
  readonly disbursement?: DisbursementView;
}

/** Undefined before the payout. */
export function disbursementView({ payout, disbursedAt }: Journey): DisbursementView | undefined {
  if (payout === null || disbursedAt === null) return undefined;
  const { amount, transferReference, loanReference, accountLastFour } = payout;
  return {
    amount: paiseToRupees(amount),
    utr: transferReference,
    paidAt: disbursedAt.toISOString(),
    loanReference,
    accountLastFour,
  };
}
