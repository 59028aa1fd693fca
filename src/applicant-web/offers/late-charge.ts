import type { ChargeTerms } from '../../instant-loans/index.js';
import { formatRupees, joined, say, type Shown } from '../../platform/index.js';
import type { ContingentCharge, UnpaidCause, UnpaidCharge } from '../../settings/index.js';
import { type CardRow, sayOwn } from './offer-card.js';

interface ChargedTerms {
  readonly contingentCharges: readonly ContingentCharge[];
  readonly unpaidCharges?: readonly UnpaidCharge[];
}

/** English names of late charges, for lenders that give only a text. */
const LATE = /late|delay|overdue|penal|default|unpaid|miss/i;

/**
 * For example "2% a month + GST"; else the lender's text.
 * @param translated a lender's text
 */
export function lateCharge(
  terms: ChargedTerms,
  translated: (text: string) => Shown,
): Pick<CardRow, 'value' | 'isText'> {
  const known = shortCharge(terms, 'LATE');
  if (known !== null) return { value: known };
  const { contingentCharges, unpaidCharges = [] } = terms;
  const unpaid = new Set(
    unpaidCharges.filter(({ cause }) => cause === undefined).map(({ name }) => name),
  );
  if (contingentCharges.length === 0) return { value: say('offers.late.none') };
  const texts = contingentCharges.filter(({ name }) => unpaid.has(name) || LATE.test(name));
  if (texts.length === 0) return { value: say('offers.late.notStated') };
  const value = joined(
    texts.map(({ description }) => translated(description)),
    '; ',
  );
  return { value, isText: true };
}

export function lateRow(terms: ChargeTerms): CardRow {
  const charge = lateCharge(terms, (text) => sayOwn(terms.texts, text));
  return { label: say('offers.late'), ...charge };
}

/** Null when the figures are unknown. */
export function shortCharge(
  { unpaidCharges = [] }: Pick<ChargedTerms, 'unpaidCharges'>,
  wanted: UnpaidCause,
): Shown | null {
  const charges = unpaidCharges.filter(({ cause }) => cause === wanted);
  return charges.length > 0 ? joined(charges.map(inShort), '; ') : null;
}

function inShort(charge: UnpaidCharge): Shown {
  const { flat, percentOfInstalment, gstPercent, every } = charge;
  const percent = percentOfInstalment ? percentText(percentOfInstalment, every) : null;
  const amount = joined([flat ? formatRupees(flat) : null, percent], ' + ');
  const often = every === 'MONTH' ? say('offers.late.month', { charge: amount }) : amount;
  return gstPercent ? say('offers.late.gst', { charge: often }) : often;
}

/** "2% a month" is understood as of the late instalment; "2%" would not be. */
function percentText(percent: number, every: UnpaidCharge['every']): Shown {
  return every === 'MONTH' ? `${percent}%` : say('offers.late.ofEmi', { percent: `${percent}%` });
}
