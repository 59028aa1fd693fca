import type { HostedOffer, PossibleFee } from '../../journeys/index.js';
import { formatRupees, say, type Shown } from '../../platform/index.js';

/** What becomes of the fee when the application leads to no loan. */
export function refundText(
  { amount, isKept }: Pick<PossibleFee, 'amount' | 'isKept'>,
  lender: string,
): Shown {
  const key = isKept ? 'steps.fee.kept' : 'steps.fee.back';
  return say(key, { amount: formatRupees(amount), lender });
}

type Charge = HostedOffer['terms']['contingentCharges'][number];

/**
 * `NONE`: the lender states that no such charge exists. `NOT_STATED`: it names other charges only.
 */
export interface ChargeStanding {
  readonly name: string;
  readonly standing: 'STATED' | 'NONE' | 'NOT_STATED';
  readonly description?: string;
}

/**
 * Same kinds in the same order for every offer; a kind is an English name.
 * @param inPageLanguage translates an offer's text
 */
export function linedUpCharges(
  offers: readonly (readonly Charge[])[],
  inPageLanguage: (text: string, offer: number) => string = (text) => text,
): ChargeStanding[][] {
  const kinds = new Map<string, string>();
  for (const [offer, charges] of offers.entries()) {
    for (const { name } of charges) {
      const said = inPageLanguage(name, offer);
      if (!kinds.has(kindOf(name)) || said !== name) kinds.set(kindOf(name), said);
    }
  }
  return offers.map((charges, offer) =>
    [...kinds].map(([kind, name]) =>
      standingOf(charges, kind, name, (text) => inPageLanguage(text, offer)),
    ),
  );
}

function standingOf(
  charges: readonly Charge[],
  kind: string,
  name: string,
  inPageLanguage: (text: string) => string,
): ChargeStanding {
  if (charges.length === 0) return { name, standing: 'NONE' };
  const stated = charges.filter((charge) => kindOf(charge.name) === kind);
  if (stated.length === 0) return { name, standing: 'NOT_STATED' };
  const description = stated.map((charge) => inPageLanguage(charge.description)).join('; ');
  return { name, standing: 'STATED', description };
}

function kindOf(name: string): string {
  return name.trim().toLowerCase().replaceAll(/\s+/g, ' ');
}
