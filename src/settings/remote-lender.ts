import type { RedirectStep } from '../journey-steps/index.js';

/** The RBI's kinds of regulated lenders. */
export const LENDER_KINDS = [
  'BANK',
  'SMALL_FINANCE_BANK',
  'REGIONAL_RURAL_BANK',
  'COOPERATIVE_BANK',
  'NBFC',
  'NBFC_MFI',
  'HOUSING_FINANCE_COMPANY',
] as const;

export type LenderKind = (typeof LENDER_KINDS)[number];

export interface RemoteLender {
  /** Without a trailing slash. */
  readonly address: string;
  readonly keys: RemoteLenderKeys;
  readonly limits: RemoteLenderLimits;
  /** The steps that one visit may pass; null: the lender says so each time. */
  readonly covers: readonly RedirectStep[] | null;
  /** Answers whether an offer is likely. */
  readonly eligibility?: boolean;
  /** A TLS client certificate (PEM); null: none. */
  readonly certificate: string | null;
}

/** Public keys (JWK, RFC 7517), or their address. */
type RemoteLenderKeys =
  | { readonly kind: 'PINNED'; readonly keys: readonly Readonly<Record<string, unknown>>[] }
  | { readonly kind: 'JWKS'; readonly address: string };

/** Per replica. */
export interface RemoteLenderLimits {
  readonly callsPerSecond: number;
  readonly callsAtOnce: number;
}
