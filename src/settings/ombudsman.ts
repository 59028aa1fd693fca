import type { LenderKind } from './remote-lender.js';

/**
 * Where to complain after the lender: RBI Ombudsman, National Housing Bank, or (NONE) the RBI's
 * consumer education and protection cell.
 */
export const OMBUDSMEN = ['RBI_CMS', 'NHB', 'NONE'] as const;

export type Ombudsman = (typeof OMBUDSMEN)[number];

/** The RBI's Integrated Ombudsman Scheme excludes housing finance companies. */
const BY_KIND: Readonly<Record<LenderKind, Ombudsman>> = {
  BANK: 'RBI_CMS',
  SMALL_FINANCE_BANK: 'RBI_CMS',
  REGIONAL_RURAL_BANK: 'RBI_CMS',
  COOPERATIVE_BANK: 'RBI_CMS',
  NBFC: 'RBI_CMS',
  NBFC_MFI: 'RBI_CMS',
  HOUSING_FINANCE_COMPANY: 'NHB',
};

interface Known {
  readonly ombudsman?: Ombudsman;
  readonly lenderKind?: LenderKind;
}

/** Configured, or of the kind; RBI_CMS for an unknown kind. */
export function ombudsmanOf({ ombudsman, lenderKind }: Known): Ombudsman {
  return ombudsman ?? (lenderKind ? BY_KIND[lenderKind] : 'RBI_CMS');
}
