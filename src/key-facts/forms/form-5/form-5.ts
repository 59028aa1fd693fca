import { formatRupees } from '../../../loans/index.js';
import type { Language } from '../../../platform/index.js';
import type { KeyFactsStatement } from '../../statement/key-facts-statement.js';
import { keyFactsForm4 } from '../form-4/form-4.js';
import type { KeyFactsDocument, KeyFactsWords, LabelledText } from '../key-facts-document.js';

const PAY_BACK = 'kfs.form1.short.pay-back';

/**
 * Version 5 of the form: version 4, whose short summary has the figures and labels of the offer's card. What was agreed
 * in it is shown in it forever (docs/adr/0009).
 */
export function keyFactsForm5(
  statement: KeyFactsStatement,
  words: KeyFactsWords,
  language: Language,
): KeyFactsDocument {
  const form4 = keyFactsForm4(
    statement,
    (key, values) => words(key === PAY_BACK ? 'kfs.form5.short.pay-back' : key, values),
    language,
  );
  return { ...form4, summary: { ...form4.summary, figures: cardFigures(statement, words) } };
}

function cardFigures(
  { aprComputation: of, part1: { fees } }: KeyFactsStatement,
  words: KeyFactsWords,
): LabelledText[] {
  const isUpFront = fees.paid === 'UP_FRONT' && of.feesPayable > 0;
  const received = isUpFront ? of.sanctionedAmount : of.netDisbursed;
  const repaid = isUpFront ? of.totalPayable + of.feesPayable : of.totalPayable;
  const repay = isUpFront ? 'kfs.form5.short.repay-with-fee' : 'kfs.form5.short.repay';
  return [
    {
      label: words('kfs.form5.short.emi', { count: of.instalmentCount }),
      value: formatRupees(of.instalment),
    },
    { label: words('kfs.form5.short.apr'), value: `${of.annualPercentageRate.toFixed(2)}%` },
    { label: words('kfs.form5.short.get'), value: formatRupees(received) },
    { label: words(repay), value: formatRupees(repaid) },
  ];
}
