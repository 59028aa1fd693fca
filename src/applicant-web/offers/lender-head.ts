import type { LenderIdentity } from '../../matching/index.js';
import { type Language, translate } from '../../platform/index.js';
import type { LenderKind } from '../../settings/index.js';

const KIND_KEYS: Readonly<Record<LenderKind, string>> = {
  BANK: 'offers.lender.bank',
  SMALL_FINANCE_BANK: 'offers.lender.smallFinanceBank',
  REGIONAL_RURAL_BANK: 'offers.lender.regionalRuralBank',
  COOPERATIVE_BANK: 'offers.lender.cooperativeBank',
  NBFC: 'offers.lender.nbfc',
  NBFC_MFI: 'offers.lender.nbfcMfi',
  HOUSING_FINANCE_COMPANY: 'offers.lender.housingFinanceCompany',
};

export interface LenderHead {
  readonly lenderName: string;
  readonly identity: string;
  /** Path; absent: the default icon. */
  readonly logo?: string;
}

export function lenderHead(
  lenderName: string,
  { kind, registration, logo }: LenderIdentity,
  language: Language,
): LenderHead {
  const number = registration;
  // For example "NBFC, RBI no. N-00.00001".
  const identity = [
    kind && translate(language, KIND_KEYS[kind]),
    number && translate(language, 'offers.lender.registration', { number }),
  ];
  return { lenderName, identity: identity.filter(Boolean).join(', '), ...(logo && { logo }) };
}
