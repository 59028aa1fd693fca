import { type Ombudsman, ombudsmanOf } from '../../settings/index.js';

/** Where a borrower can complain after the lender. */
export interface FurtherComplaint {
  /** Whom the fold on complaints names after the lender. */
  readonly bodyKey: string;
  readonly href: string;
  /** The address as it is shown. */
  readonly site: string;
  /** Where it answers questions by telephone. */
  readonly phone: string | null;
}

const RBI = { href: 'https://cms.rbi.org.in', site: 'cms.rbi.org.in', phone: '14448' };

const COMPLAINTS: Readonly<Record<Ombudsman, FurtherComplaint>> = {
  RBI_CMS: {
    bodyKey: 'ui.complaints.rbi',
    ...RBI,
  },
  NHB: {
    bodyKey: 'ui.complaints.nhb',
    href: 'https://grids.nhbonline.org.in',
    site: 'grids.nhbonline.org.in',
    phone: null,
  },
  NONE: {
    bodyKey: 'ui.complaints.cell',
    ...RBI,
  },
};

/** @param terms of the offer */
export function furtherComplaint(terms: Parameters<typeof ombudsmanOf>[0]): FurtherComplaint {
  return COMPLAINTS[ombudsmanOf(terms)];
}
