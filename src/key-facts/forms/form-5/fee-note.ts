import type { FeeBasis } from '../../../loans/index.js';
import type { KeyFactsFee } from '../../statement/key-facts-statement.js';
import type { FormText } from './form-text.js';

/**
 * For example "2% of the loan amount, at least ₹100, plus ₹18 GST"; empty when only the amount is
 * known.
 */
export function feeNote(text: FormText, fee: KeyFactsFee): string {
  const origin = originNote(text, fee);
  if (!fee.gst) return origin;
  const values = { origin, amount: text.rupees(fee.gst) };
  return text.word(origin ? 'kfs.form5.fees.plus-gst' : 'kfs.form5.fees.gst-note', values);
}

function originNote(text: FormText, { percentOfPrincipal, basis }: KeyFactsFee): string {
  if (basis) return basisNote(text, basis);
  if (percentOfPrincipal === null) return '';
  return text.word('kfs.form5.fees.share', { percent: text.percent(percentOfPrincipal) });
}

function basisNote(
  text: FormText,
  { percentOfPrincipal, flat = 0, minimum, maximum }: FeeBasis,
): string {
  const sum = { percent: text.percent(percentOfPrincipal), flat: text.rupees(flat) };
  if (minimum !== undefined) {
    const key = flat > 0 ? 'kfs.form5.fees.sum-at-least' : 'kfs.form5.fees.share-at-least';
    return text.word(key, { ...sum, bound: text.rupees(minimum) });
  }
  if (maximum !== undefined) {
    const key = flat > 0 ? 'kfs.form5.fees.sum-at-most' : 'kfs.form5.fees.share-at-most';
    return text.word(key, { ...sum, bound: text.rupees(maximum) });
  }
  return text.word('kfs.form5.fees.sum', sum);
}
