import type { Paise } from '../loans/index.js';
import type { Language } from '../platform/index.js';
import type { ContingentCharge, LenderKind } from '../settings/index.js';
import type { OfferOrder } from './metric-texts.js';

/** `OFFER_REFUSED`: wrong figures. `UNREACHABLE`: not asked, after unanswered questions. `NO_ANSWER`: not in time. */
export const STANDINGS_WITHOUT_OFFER = [
  'DECLINED',
  'UNREACHABLE',
  'NO_ANSWER',
  'OFFER_REFUSED',
] as const;

export interface LenderWithoutOffer {
  readonly code: string;
  readonly name: string;
  readonly standing: (typeof STANDINGS_WITHOUT_OFFER)[number];
}

export interface LenderIdentity {
  readonly kind?: LenderKind;
  readonly registration?: string;
  /** In running text; default: the legal name. */
  readonly shortName?: string;
  /** A path on this service. */
  readonly logo?: string;
  /** Null: the lender itself, or an agent that it names to the borrower. */
  readonly recoveryAgent: string | null;
}

/** `API`: the partner's program shows it. */
export type PresentationPlace = 'PAGE' | 'API';

interface Presentation {
  readonly partnerId: string;
  /** A journey's id. */
  readonly subjectId: string;
  /** From 1. */
  readonly round: number;
  readonly place: PresentationPlace;
  /** Null for the API. */
  readonly language: Language | null;
  /** Default: by APR. */
  readonly order?: OfferOrder;
}

/** Money in paise, tenure in months. */
export interface PresentedOffer {
  readonly offerId: string;
  readonly lenderCode: string;
  readonly lenderName: string;
  readonly principal: Paise;
  readonly minimumAmount: Paise;
  readonly figures: object;
  readonly contingentCharges: readonly ContingentCharge[];
  readonly coolingOffDays: number;
  readonly coLender?: { readonly name: string; readonly sharePercent: number };
  /** Only on hosted pages. */
  readonly lender?: LenderIdentity;
  /** The lender's text on a gold loan; only its hash is stored. */
  readonly explanation: string | null;
  readonly validUntil: Date;
  /** Whether the applicant could still choose it. */
  readonly isValid: boolean;
  /** Whether it was chosen while another could still be chosen. */
  readonly isChosen?: boolean;
  /** For a fee paid before the lender's decision. */
  readonly feeOnDecline?: 'KEPT' | 'REFUND';
}

export interface Comparison extends Presentation {
  readonly productCode: string;
  readonly offers: readonly PresentedOffer[];
  /** Null while lenders are still asked. */
  readonly lendersWithoutOffer: readonly LenderWithoutOffer[] | null;
  /** Lenders that do not lend this amount. */
  readonly notLending?: readonly string[];
}

export interface Choice extends Presentation {
  readonly offerId: string;
  readonly lenderCode: string;
  readonly loanAmount: Paise;
  readonly figures: object;
}

/** Amounts in paise. Without the applicant's details. */
export interface ShownEligibility {
  readonly partnerId: string;
  /** Of the call. */
  readonly subjectId: string;
  readonly productCode: string;
  readonly loanAmount: Paise;
  readonly lenders: readonly {
    readonly lenderCode: string;
    /** Not recorded: it may reveal the income. */
    readonly amount?: object;
  }[];
}

/** @param terms at the time of the offer */
export function lenderIdentityOf(terms: {
  readonly lenderKind?: LenderKind;
  readonly lenderRegistration?: string;
  readonly lenderShortName?: string;
  readonly lenderLogo?: string;
  readonly recoveryAgentLsp: string | null;
}): LenderIdentity {
  return {
    kind: terms.lenderKind,
    registration: terms.lenderRegistration,
    shortName: terms.lenderShortName,
    logo: terms.lenderLogo,
    recoveryAgent: terms.recoveryAgentLsp,
  };
}
