import type { RedirectStep } from '../journey-steps/index.js';

/** What a lender is in law: the RBI's kinds of regulated entities that lend to the public. */
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

/** How a lender outside the process is reached, and what is known of it. */
export interface RemoteLender {
  /** Where its questions go: without a slash at the end. */
  readonly address: string;
  readonly keys: RemoteLenderKeys;
  readonly limits: RemoteLenderLimits;
  /** The steps that one visit to the lender's page may pass; null: as the lender says each time. */
  readonly covers: readonly RedirectStep[] | null;
  /** The TLS client certificate (PEM) that is shown to it; null: none. */
  readonly certificate: string | null;
}

/** Whose signatures count: public keys (JWK, RFC 7517), or where they are found. */
export type RemoteLenderKeys =
  | { readonly kind: 'PINNED'; readonly keys: readonly Readonly<Record<string, unknown>>[] }
  | { readonly kind: 'JWKS'; readonly address: string };

/** How much one replica asks of it. */
export interface RemoteLenderLimits {
  readonly callsPerSecond: number;
  readonly callsAtOnce: number;
}
