import type { Paise } from '../loans/index.js';
import type { Language } from '../platform/index.js';
import type { ContingentCharge, LenderKind } from '../settings/index.js';
import type { OfferOrder } from './metric-texts.js';

/**
 * `OFFER_REFUSED`: its figures did not hold. `UNREACHABLE`: not asked, since it did not answer others.
 * `NO_ANSWER`: not in time.
 */
export const STANDINGS_WITHOUT_OFFER = [
  'DECLINED',
  'UNREACHABLE',
  'NO_ANSWER',
  'OFFER_REFUSED',
] as const;

/** It was asked, and no offer is shown. */
export interface LenderWithoutOffer {
  readonly code: string;
  /** Legal name. */
  readonly name: string;
  readonly standing: (typeof STANDINGS_WITHOUT_OFFER)[number];
}

export interface LenderIdentity {
  readonly kind?: LenderKind;
  readonly registration?: string;
  /** In running text; left out: its legal name. */
  readonly shortName?: string;
  /** A path on this service. */
  readonly logo?: string;
  /** Null: the lender itself, or whom it names. */
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
  /** Left out: by APR. */
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
  /** Only on our pages. */
  readonly lender?: LenderIdentity;
  /** The lender's words on a gold loan; only their hash is stored. */
  readonly explanation: string | null;
  readonly validUntil: Date;
  /** Whether it could still be chosen. */
  readonly isValid: boolean;
  /** Whether it was the chosen one, while another could be chosen. */
  readonly isChosen?: boolean;
}

/** In the order shown. */
export interface Comparison extends Presentation {
  readonly productCode: string;
  readonly offers: readonly PresentedOffer[];
  /** Null while the lenders are still asked. */
  readonly lendersWithoutOffer: readonly LenderWithoutOffer[] | null;
  /** Codes of lenders known not to lend the amount. */
  readonly notLending?: readonly string[];
}

export interface Choice extends Presentation {
  readonly offerId: string;
  readonly lenderCode: string;
  readonly loanAmount: Paise;
  /** Quoted for that amount. */
  readonly figures: object;
}

/** @param terms when the offer was made */
export function lenderIdentityOf(terms: {
  readonly lenderKind?: LenderKind;
  readonly lenderRegistration?: string;
  readonly lenderShortName?: string;
  readonly lenderLogo?: string;
  readonly recoveryAgentLsp: string | null;
}): LenderIdentity {
  const { lenderKind, lenderRegistration, lenderShortName, lenderLogo, recoveryAgentLsp } = terms;
  return {
    ...(lenderKind && { kind: lenderKind }),
    ...(lenderRegistration && { registration: lenderRegistration }),
    ...(lenderShortName && { shortName: lenderShortName }),
    ...(lenderLogo && { logo: lenderLogo }),
    recoveryAgent: recoveryAgentLsp,
  };
}
