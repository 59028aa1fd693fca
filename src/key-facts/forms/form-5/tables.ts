import type { FeeBasis, Paise, ScheduleRow } from '../../../loans/index.js';
import type { ContingentCharge } from '../../../settings/index.js';
import type { KeyFactsFee, KeyFactsPart1 } from '../../domain/key-facts-statement.js';
import type { KeyFactsRowGroup, KeyFactsTable } from '../key-facts-document.js';
import type { Fact, FormText } from './form-text.js';

export function factsTable(
  text: FormText,
  caption: string,
  facts: readonly Fact[],
  factKey = 'kfs.form5.column.fact',
): KeyFactsTable {
  return {
    kind: 'facts',
    caption,
    columns: [
      text.column('kfs.form5.column.number'),
      text.column(factKey),
      text.column('kfs.form5.column.detail'),
    ],
    headerColumn: 1,
    groups: [
      ungrouped(
        text,
        facts.map(({ number, label, value }) => [number, label, value]),
      ),
    ],
    total: null,
  };
}

/** Part 1, row 8. */
export function feesTable(
  text: FormText,
  fees: KeyFactsPart1['fees'],
  total: Paise,
): KeyFactsTable {
  return {
    kind: 'fees',
    caption: text.word(
      fees.paid === 'UP_FRONT' ? 'kfs.form5.fees.caption-up-front' : 'kfs.form5.fees.caption',
    ),
    columns: [
      text.column('kfs.form5.fees.charge'),
      text.column('kfs.form5.fees.frequency'),
      text.column('kfs.form5.fees.amount', true),
    ],
    headerColumn: 0,
    groups: [
      feeGroup(text, text.word('kfs.form5.fees.to-lender'), fees.payableToLender),
      feeGroup(text, text.word('kfs.form5.fees.to-third-parties'), fees.payableToThirdParties),
    ],
    total: { label: text.word('kfs.form5.fees.total'), value: text.rupees(total) },
  };
}

/** Part 1, row 10. */
export function chargesTable(text: FormText, charges: readonly ContingentCharge[]): KeyFactsTable {
  return {
    kind: 'charges',
    caption: text.word('kfs.form5.contingent.caption'),
    columns: [
      text.column('kfs.form5.contingent.charge'),
      text.column('kfs.form5.contingent.detail'),
    ],
    headerColumn: 0,
    groups: [
      ungrouped(
        text,
        charges.map(({ name, description }) => [name, description]),
      ),
    ],
    total: null,
  };
}

/** Annex C. */
export function scheduleTable(text: FormText, schedule: readonly ScheduleRow[]): KeyFactsTable {
  return {
    kind: 'schedule',
    caption: text.word('kfs.form5.annex-c.caption'),
    columns: [
      text.column('kfs.form5.column.number', true),
      text.column('kfs.form5.annex-c.outstanding', true),
      text.column('kfs.form5.annex-c.principal', true),
      text.column('kfs.form5.annex-c.interest', true),
      text.column('kfs.form5.annex-c.instalment', true),
    ],
    headerColumn: 0,
    groups: [
      ungrouped(
        text,
        schedule.map((row) => scheduleCells(text, row)),
      ),
    ],
    total: null,
  };
}

function scheduleCells(text: FormText, row: ScheduleRow): string[] {
  const amounts = [row.openingBalance, row.principal, row.interest, row.instalment];
  return [String(row.number), ...amounts.map((amount) => text.rupees(amount))];
}

function feeGroup(text: FormText, heading: string, fees: readonly KeyFactsFee[]): KeyFactsRowGroup {
  const rows = fees.map((fee) => [
    text.cell(fee.name, feeNote(text, fee)),
    text.cell(text.word('kfs.form5.fees.one-time')),
    text.cell(text.rupees(fee.amount)),
  ]);
  return { heading, rows, none: text.word('kfs.form5.none') };
}

function ungrouped(text: FormText, rows: string[][]): KeyFactsRowGroup {
  const cells = rows.map((row) => row.map((one) => text.cell(one)));
  return { heading: null, rows: cells, none: text.word('kfs.form5.none') };
}

/** For example "2% of the loan amount, at least ₹100, plus ₹18 GST". Empty when only the amount is known. */
function feeNote(text: FormText, fee: KeyFactsFee): string {
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
