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

/** For example "NBFC, RBI no. N-00.00001". */
export function lenderLine(
  {
    lenderKind,
    lenderRegistration,
  }: { readonly lenderKind?: LenderKind; readonly lenderRegistration?: string },
  language: Language,
): string {
  const kind = lenderKind && translate(language, KIND_KEYS[lenderKind]);
  const number = lenderRegistration;
  const registered = number && translate(language, 'offers.lender.registration', { number });
  return [kind, registered].filter(Boolean).join(', ');
}
