import type { LenderKind } from '../settings/index.js';

/** Who lends, as a page tells it. */
export interface LenderIdentity {
  readonly kind?: LenderKind;
  readonly registration?: string;
  /** What running text calls it; left out: its legal name. */
  readonly shortName?: string;
  /** Path of its logo on this service; left out: its mark is shown. */
  readonly logo?: string;
  /** Null: the lender itself, or whom it names. */
  readonly recoveryAgent: string | null;
}

/** @param terms of an offer, as they were when it was made */
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
