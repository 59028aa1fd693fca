import type { FieldProblem } from '../../platform/index.js';
import type { Deployment } from './configuration.js';
import type { LenderSection } from './lender-section.js';
import { mistake, type Placed } from './placed.js';
import type { ProductSection } from './product-section.js';

interface PlacedProduct {
  readonly path: string;
  readonly code: string;
  readonly channel: 'ONLINE' | 'OFFLINE';
  readonly isEnabled: boolean;
}

interface PlacedLender {
  readonly path: string;
  readonly adapter: string;
  readonly isEnabled: boolean;
  readonly products: readonly string[];
}

type Build = Pick<Deployment, 'mode' | 'lenderAdapters'>;

/** Journeys with an unknown connector would wait for their deadline. */
export function adapterMistakes(
  lenders: readonly Pick<PlacedLender, 'path' | 'adapter'>[],
  { mode, lenderAdapters }: Build,
): FieldProblem[] {
  const known = lenderAdapters.join(', ') || 'none';
  const message = `is not among the adapters that this build has for ${mode}: ${known}`;
  return lenders
    .filter(({ adapter }) => !lenderAdapters.includes(adapter))
    .map(({ path }) => ({ field: `${path}.adapter`, message }));
}

/**
 * Without a lender a journey never gets an offer, and an instant loan takes its fee in vain. A
 * branch product is a lead.
 */
export function unservedMistakes(
  products: readonly PlacedProduct[],
  lenders: readonly PlacedLender[],
): FieldProblem[] {
  const enabled = lenders.filter(({ isEnabled }) => isEnabled);
  const served = new Set(enabled.flatMap(({ products: codes }) => codes));
  const unserved = products.filter(
    ({ code, channel, isEnabled }) => isEnabled && channel === 'ONLINE' && !served.has(code),
  );
  const message = 'must not be empty: products are switched on that need a lender';
  return [
    ...(unserved.length > 0 && lenders.length === 0 ? mistake('lenders', message) : []),
    ...unserved.map(({ path, code }) => ({
      field: path,
      message: `is served by no lender: give an enabled one terms for ${code}, or switch it off (enabled: false)`,
    })),
  ];
}

/** Lenders with mistakes count as serving what they name. */
export function unservedInFile(
  products: readonly Placed<ProductSection>[],
  lenders: readonly LenderSection[] | undefined,
): FieldProblem[] {
  const areReadable =
    Array.isArray(lenders) && lenders.every((lender) => lender?.products instanceof Map);
  if (!areReadable) return [];
  const placed = products.map(({ path, section: { code, channel, enabled } }) => ({
    path,
    code,
    channel,
    isEnabled: enabled ?? true,
  }));
  return unservedMistakes(
    placed,
    lenders.map(({ adapter, enabled, products: terms }, index) => ({
      path: `lenders[${index}]`,
      adapter,
      isEnabled: enabled ?? true,
      products: [...terms.keys()],
    })),
  );
}
