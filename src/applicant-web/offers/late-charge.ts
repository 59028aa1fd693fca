import { formatRupees, type Language, translate } from '../../platform/index.js';
import type { ContingentCharge, UnpaidCause, UnpaidCharge } from '../../settings/index.js';
import type { CardRow } from './offer-card.js';

interface ChargedTerms {
  readonly contingentCharges: readonly ContingentCharge[];
  readonly unpaidCharges?: readonly UnpaidCharge[];
}

/** Names of a charge for paying late, in English, of lenders that give only a text. */
const LATE = /late|delay|overdue|penal|default|unpaid|miss/i;

/**
 * What an offer asks for a late instalment: "2% a month + GST" where its figures are known, else the lender's own
 * text whole.
 * @param say an offer's text in the language of the page
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

/** Null where the figures of such a charge are not known. */
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

/** "2% a month" is understood of the instalment that is late; "2%" would not be. */
function percentText(percent: number, every: UnpaidCharge['every'], language: Language): string {
  return every === 'MONTH'
    ? `${percent}%`
    : translate(language, 'offers.late.ofEmi', { percent: `${percent}%` });
}
