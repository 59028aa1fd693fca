import type { ChargeTerms } from '../../instant-loans/index.js';
import { formatRupees, type Language, translate } from '../../platform/index.js';
import {
  type ContingentCharge,
  inLanguage,
  type UnpaidCause,
  type UnpaidCharge,
} from '../../settings/index.js';
import type { CardRow } from './offer-card.js';

interface ChargedTerms {
  readonly contingentCharges: readonly ContingentCharge[];
  readonly unpaidCharges?: readonly UnpaidCharge[];
}

/** English names of late charges, for lenders that give only a text. */
const LATE = /late|delay|overdue|penal|default|unpaid|miss/i;

/**
 * For example "2% a month + GST"; else the lender's text.
 * @param say a text in the page's language
 */
export function lateCharge(
  terms: ChargedTerms,
  language: Language,
  say: (text: string) => string,
): Pick<CardRow, 'value' | 'isText'> {
  const known = shortCharge(terms, 'LATE', language);
  if (known !== null) return { value: known };
  const { contingentCharges, unpaidCharges = [] } = terms;
  const unpaid = new Set(
    unpaidCharges.filter(({ cause }) => cause === undefined).map(({ name }) => name),
  );
  if (contingentCharges.length === 0) return { value: translate(language, 'offers.late.none') };
  const texts = contingentCharges.filter(({ name }) => unpaid.has(name) || LATE.test(name));
  if (texts.length === 0) return { value: translate(language, 'offers.late.notStated') };
  return { value: texts.map(({ description }) => say(description)).join('; '), isText: true };
}

export function lateRow(terms: ChargeTerms, language: Language): CardRow {
  const say = (text: string) => inLanguage(terms.texts, language, text);
  return { label: translate(language, 'offers.late'), ...lateCharge(terms, language, say) };
}

/** Null when the figures are unknown. */
export function shortCharge(
  { unpaidCharges = [] }: Pick<ChargedTerms, 'unpaidCharges'>,
  wanted: UnpaidCause,
  language: Language,
): string | null {
  const charges = unpaidCharges.filter(({ cause }) => cause === wanted);
  return charges.length > 0 ? charges.map((one) => inShort(one, language)).join('; ') : null;
}

function inShort(charge: UnpaidCharge, language: Language): string {
  const { flat, percentOfInstalment, gstPercent, every } = charge;
  const percent = percentOfInstalment && percentText(percentOfInstalment, every, language);
  const amount = [flat && formatRupees(flat), percent].filter(Boolean).join(' + ');
  const often =
    every === 'MONTH' ? translate(language, 'offers.late.month', { charge: amount }) : amount;
  return gstPercent ? translate(language, 'offers.late.gst', { charge: often }) : often;
}

/** "2% a month" is understood as of the late instalment; "2%" would not be. */
function percentText(percent: number, every: UnpaidCharge['every'], language: Language): string {
  return every === 'MONTH'
    ? `${percent}%`
    : translate(language, 'offers.late.ofEmi', { percent: `${percent}%` });
}
