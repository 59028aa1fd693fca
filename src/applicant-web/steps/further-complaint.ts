import { type Ombudsman, ombudsmanOf } from '../../settings/index.js';

export interface FurtherComplaint {
  readonly bodyKey: string;
  readonly href: string;
  readonly site: string;
  /** The helpline. */
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

export function furtherComplaint(terms: Parameters<typeof ombudsmanOf>[0]): FurtherComplaint {
  return COMPLAINTS[ombudsmanOf(terms)];
}
