import type { LenderKind } from './remote-lender.js';

/**
 * Where a borrower can complain after the lender: the RBI Ombudsman, the National Housing Bank, or, of a lender outside
 * both schemes, the RBI's consumer education and protection cell.
 */
export const OMBUDSMEN = ['RBI_CMS', 'NHB', 'NONE'] as const;

export type Ombudsman = (typeof OMBUDSMEN)[number];

/** By the Integrated Ombudsman Scheme of the RBI, which excludes housing finance companies. */
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

/** The configured ombudsman, or that of the lender's kind; the RBI's where the kind is unknown, as for most kinds. */
export function ombudsmanOf({ ombudsman, lenderKind }: Known): Ombudsman {
  return ombudsman ?? (lenderKind ? BY_KIND[lenderKind] : 'RBI_CMS');
}
