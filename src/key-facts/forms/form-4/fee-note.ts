import { type FeeBasis, formatRupees } from '../../../loans/index.js';
import type { KeyFactsFee } from '../../statement/key-facts-statement.js';
import type { KeyFactsWords } from '../key-facts-document.js';

/** How a charge came about: "2% of the loan amount, at least ₹100, plus ₹18 GST". Empty where only its amount is known. */
export function feeNote(fee: KeyFactsFee, words: KeyFactsWords): string {
  const origin = originNote(fee, words);
  if (!fee.gst) return origin;
  const values = { origin, amount: formatRupees(fee.gst) };
  return words(origin ? 'kfs.form4.fees.plus-gst' : 'kfs.form1.fees.gst-note', values);
}

function originNote({ percentOfPrincipal, basis }: KeyFactsFee, words: KeyFactsWords): string {
  if (basis) return words(...basisNote(basis));
  if (percentOfPrincipal === null) return '';
  return words('kfs.form4.fees.share', { percent: `${percentOfPrincipal}%` });
}

function basisNote({
  percentOfPrincipal,
  flat = 0,
  minimum,
  maximum,
}: FeeBasis): [string, Record<string, string>] {
  const share = { percent: `${percentOfPrincipal}%`, flat: formatRupees(flat) };
  if (minimum !== undefined) {
    const key = flat > 0 ? 'kfs.form4.fees.sum-at-least' : 'kfs.form4.fees.share-at-least';
    return [key, { ...share, bound: formatRupees(minimum) }];
  }
  if (maximum !== undefined) {
    const key = flat > 0 ? 'kfs.form4.fees.sum-at-most' : 'kfs.form4.fees.share-at-most';
    return [key, { ...share, bound: formatRupees(maximum) }];
  }
  return ['kfs.form4.fees.sum', share];
}
