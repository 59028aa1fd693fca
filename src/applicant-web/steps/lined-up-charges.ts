import type { HostedOffer } from '../../journeys/index.js';

type Charge = HostedOffer['terms']['contingentCharges'][number];

/**
 * What a lender says of a charge. `NONE`: it has stated that nothing falls due beside the fees.
 * `NOT_STATED`: it names other charges, and not this one.
 */
export interface ChargeStanding {
  readonly name: string;
  readonly standing: 'STATED' | 'NONE' | 'NOT_STATED';
  /** The amount or rate and when it applies, in the lender's words. */
  readonly description?: string;
}

/**
 * The charges that fall due only if something happens, the same kinds in the same order for every offer, so
 * that like stands beside like. A kind is what lenders call by the same name.
 */
export function linedUpCharges(offers: readonly (readonly Charge[])[]): ChargeStanding[][] {
  const kinds = new Map<string, string>();
  for (const { name } of offers.flat()) {
    if (!kinds.has(kindOf(name))) kinds.set(kindOf(name), name);
  }
  return offers.map((charges) => [...kinds].map(([kind, name]) => standingOf(charges, kind, name)));
}

function standingOf(charges: readonly Charge[], kind: string, name: string): ChargeStanding {
  if (charges.length === 0) return { name, standing: 'NONE' };
  const stated = charges.filter((charge) => kindOf(charge.name) === kind);
  if (stated.length === 0) return { name, standing: 'NOT_STATED' };
  const description = stated.map((charge) => charge.description).join('; ');
  return { name, standing: 'STATED', description };
}

function kindOf(name: string): string {
  return name.trim().toLowerCase().replaceAll(/\s+/g, ' ');
}
