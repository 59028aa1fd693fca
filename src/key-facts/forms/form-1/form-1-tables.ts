import type { Paise, ScheduleRow } from '../../../loans/index.js';
import type { ContingentCharge } from '../../../settings/index.js';
import type { KeyFactsCell, KeyFactsRowGroup, KeyFactsTable } from '../key-facts-document.js';
import type { KeyFactsFee, KeyFactsPart1 } from '../../statement/key-facts-statement.js';
import type { Form1Text } from './form-1-text.js';

/** One row of a table of facts; `number` is the row's number in the circular's annex. */
export interface Fact {
  readonly number: string;
  readonly label: string;
  readonly value: string;
}

/** Facts under the circular's numbers. */
export function factsTable(
  text: Form1Text,
  caption: string,
  facts: readonly Fact[],
  factHeading = text.word('kfs.form1.column.fact'),
): KeyFactsTable {
  return {
    kind: 'facts',
    caption,
    columns: [
      { heading: text.word('kfs.form1.column.number'), isAmount: false },
      { heading: factHeading, isAmount: false },
      { heading: text.word('kfs.form1.column.detail'), isAmount: false },
    ],
    headerColumn: 1,
    groups: [
      ungrouped(
        text,
        facts.map(({ number, label, value }) =>
          [number, label, value].map((one) => text.cell(one)),
        ),
      ),
    ],
    total: null,
  };
}

/** Part 1, row 8: what goes to the lender and what to others, each with how it comes about. */
export function feesTable(
  text: Form1Text,
  fees: KeyFactsPart1['fees'],
  total: Paise,
): KeyFactsTable {
  return {
    kind: 'fees',
    caption: text.word(
      fees.paid === 'UP_FRONT' ? 'kfs.form1.fees.caption-up-front' : 'kfs.form1.fees.caption',
    ),
    columns: [
      { heading: text.word('kfs.form1.fees.charge'), isAmount: false },
      { heading: text.word('kfs.form1.fees.frequency'), isAmount: false },
      { heading: text.word('kfs.form1.fees.amount'), isAmount: true },
    ],
    headerColumn: 0,
    groups: [
      feeGroup(text, text.word('kfs.form1.fees.to-lender'), fees.payableToLender),
      feeGroup(text, text.word('kfs.form1.fees.to-third-parties'), fees.payableToThirdParties),
    ],
    total: { label: text.word('kfs.form1.fees.total'), value: text.rupees(total) },
  };
}

/** Part 1, row 10. */
export function chargesTable(text: Form1Text, charges: readonly ContingentCharge[]): KeyFactsTable {
  return {
    kind: 'charges',
    caption: text.word('kfs.form1.contingent.caption'),
    columns: [
      { heading: text.word('kfs.form1.contingent.charge'), isAmount: false },
      { heading: text.word('kfs.form1.contingent.detail'), isAmount: false },
    ],
    headerColumn: 0,
    groups: [
      ungrouped(
        text,
        charges.map(({ name, description }) => [text.cell(name), text.cell(description)]),
      ),
    ],
    total: null,
  };
}

/** Annex C. */
export function scheduleTable(text: Form1Text, schedule: readonly ScheduleRow[]): KeyFactsTable {
  const amounts = [
    text.word('kfs.form1.annex-c.outstanding'),
    text.word('kfs.form1.annex-c.principal'),
    text.word('kfs.form1.annex-c.interest'),
    text.word('kfs.form1.annex-c.instalment'),
  ];
  return {
    kind: 'schedule',
    caption: text.word('kfs.form1.annex-c.caption'),
    columns: [
      { heading: text.word('kfs.form1.column.number'), isAmount: true },
      ...amounts.map((heading) => ({ heading, isAmount: true })),
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

function scheduleCells(text: Form1Text, row: ScheduleRow): KeyFactsCell[] {
  const amounts = [row.openingBalance, row.principal, row.interest, row.instalment];
  return [String(row.number), ...amounts.map((amount) => text.rupees(amount))].map((one) =>
    text.cell(one),
  );
}

function feeGroup(
  text: Form1Text,
  heading: string,
  fees: readonly KeyFactsFee[],
): KeyFactsRowGroup {
  const rows = fees.map((fee) => [
    text.cell(fee.name, feeNote(text, fee)),
    text.cell(text.word('kfs.form1.fees.one-time')),
    text.cell(text.rupees(fee.amount)),
  ]);
  return { heading, rows, none: text.word('kfs.form1.none') };
}

function feeNote(text: Form1Text, { percentOfPrincipal, gst }: KeyFactsFee): string {
  const notes = [
    ...(percentOfPrincipal === null
      ? []
      : [text.word('kfs.form1.fees.percent-note', { percent: text.percent(percentOfPrincipal) })]),
    ...(gst === null || gst === 0
      ? []
      : [text.word('kfs.form1.fees.gst-note', { amount: text.rupees(gst) })]),
  ];
  return notes.join('; ');
}

function ungrouped(text: Form1Text, rows: KeyFactsCell[][]): KeyFactsRowGroup {
  return { heading: null, rows, none: text.word('kfs.form1.none') };
}
