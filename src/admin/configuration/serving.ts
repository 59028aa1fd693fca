import { type JourneyStep, REDIRECT_STEPS, type RedirectStep } from '../../journey-steps/index.js';
import { addressProblem, type Reach } from '../../platform/index.js';
import type { Deployment } from './fields.js';

export const REMOTE_ADAPTER = 'rlp';

interface ServedProduct {
  readonly code: string;
  readonly isEnabled: boolean;
}

/** Journeys with an unknown connector would wait until their deadline. */
export function adapterProblem(
  adapter: string,
  { mode, lenderAdapters }: Pick<Deployment, 'mode' | 'lenderAdapters'>,
): string | null {
  const known = lenderAdapters.join(', ') || 'none';
  return lenderAdapters.includes(adapter)
    ? null
    : `must be an adapter that this build has for ${mode}: ${known}`;
}

/** The signature covers the address without a query. */
export function lenderAddressProblem(address: string, reach: Reach): string | null {
  return addressProblem(address, reach) ?? (address.includes('?') ? 'must not have a query' : null);
}

/** Without a lender a journey gets no offer, and an instant loan takes its fee in vain. A branch product is a lead. */
export function unservedProblem(
  { code, channel, isEnabled }: ServedProduct & { readonly channel: 'ONLINE' | 'OFFLINE' },
  lenders: readonly { readonly isEnabled: boolean; readonly products: readonly string[] }[],
): string | null {
  const isServed = lenders.some((lender) => lender.isEnabled && lender.products.includes(code));
  return !isEnabled || channel === 'OFFLINE' || isServed
    ? null
    : `has no lender: give an enabled lender terms for ${code}, or disable the product (enabled: false)`;
}

/** Applicants in production are sent only to configured hosts. */
export function stepsWithoutHost(
  lender: {
    readonly providers: readonly { readonly step: RedirectStep }[];
    readonly products: readonly string[];
  },
  products: readonly (ServedProduct & { readonly steps: readonly JourneyStep[] })[],
): RedirectStep[] {
  const served = products.filter(
    ({ code, isEnabled }) => isEnabled && lender.products.includes(code),
  );
  return REDIRECT_STEPS.filter(
    (step) =>
      served.some(({ steps }) => steps.includes(step)) &&
      !lender.providers.some((provider) => provider.step === step),
  );
}
