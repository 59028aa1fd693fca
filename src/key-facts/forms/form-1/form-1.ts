import type {
  KeyFactsBlock,
  KeyFactsContact,
  KeyFactsDocument,
  KeyFactsSection,
  KeyFactsSummary,
  KeyFactsWords,
  LabelledText,
} from '../key-facts-document.js';
import type { GrievanceOfficer } from '../../../settings/index.js';
import type { KeyFactsStatement } from '../../statement/key-facts-statement.js';
import { aprFacts, digitalLoanFacts, part1Facts, part2Facts } from './form-1-facts.js';
import { chargesTable, factsTable, feesTable, scheduleTable } from './form-1-tables.js';
import { Form1Text } from './form-1-text.js';

/**
 * Version 1 of the form, in the order of Annexes A, B and C of RBI/2024-25/18. What was agreed in
 * this form is shown in it forever: neither this folder nor its words (`kfs.form1.*`) may change in
 * what they say. A better form is version 2, in a folder of its own (docs/adr/0009).
 */
export function keyFactsForm1(
  statement: KeyFactsStatement,
  words: KeyFactsWords,
): KeyFactsDocument {
  const text = new Form1Text(words);
  return {
    heading: text.word('kfs.form1.title'),
    opening: opening(text, statement),
    summary: summary(text, statement),
    sections: [
      part1(text, statement),
      ...gold(text, statement),
      part2(text, statement),
      annexB(text, statement),
      annexC(text, statement),
    ],
    colophon: text.word('kfs.form1.colophon', { circular: statement.circular }),
  };
}

function opening(text: Form1Text, statement: KeyFactsStatement): LabelledText[] {
  return [
    { label: text.word('kfs.form1.lender'), value: statement.lenderLegalName },
    { label: text.word('kfs.form1.lsp'), value: statement.lspName },
    { label: text.word('kfs.form1.proposal'), value: statement.part1.loanProposalNumber },
    { label: text.word('kfs.form1.issued'), value: text.date(statement.issuedAt) },
    { label: text.word('kfs.form1.valid'), value: text.dateTime(statement.validUntil) },
  ];
}

function summary(text: Form1Text, statement: KeyFactsStatement): KeyFactsSummary {
  const apr = statement.aprComputation;
  const repay = text.word('kfs.form1.short.repay-detail', {
    instalment: text.rupees(apr.instalment),
    months: text.months(apr.termMonths),
  });
  const net = isPaidUpFront(statement) ? 'kfs.form1.short.net-up-front' : 'kfs.form1.short.net';
  return {
    title: text.word('kfs.form1.short.title'),
    figures: [
      { label: text.word('kfs.form1.short.amount'), value: text.rupees(apr.sanctionedAmount) },
      { label: text.word(net), value: text.rupees(apr.netDisbursed) },
      { label: text.word('kfs.form1.short.repay'), value: repay },
      {
        label: text.word('kfs.form1.short.apr'),
        value: text.twoDecimals(apr.annualPercentageRate),
      },
    ],
    sentences: sentences(text, statement),
  };
}

function sentences(text: Form1Text, statement: KeyFactsStatement): string[] {
  const apr = statement.aprComputation;
  const values = {
    amount: text.rupees(apr.sanctionedAmount),
    fees: text.rupees(apr.feesPayable),
    net: text.rupees(apr.netDisbursed),
    total: text.rupees(apr.totalPayable),
    interest: text.rupees(apr.totalInterest),
    cost: text.rupees(apr.totalInterest + apr.feesPayable),
    apr: text.twoDecimals(apr.annualPercentageRate),
    days: text.days(statement.part2.digitalLoan.coolingOffDays),
  };
  return [
    receiving(statement),
    'kfs.form1.short.pay-back',
    'kfs.form1.short.cost',
    'kfs.form1.short.cooling-off',
    'kfs.form1.short.consent',
  ].map((key) => text.word(key, values));
}

function receiving(statement: KeyFactsStatement): string {
  if (statement.aprComputation.feesPayable === 0) return 'kfs.form1.short.receive-all';
  return isPaidUpFront(statement) ? 'kfs.form1.short.receive-up-front' : 'kfs.form1.short.receive';
}

function isPaidUpFront({ part1: { fees } }: KeyFactsStatement): boolean {
  return fees.paid === 'UP_FRONT';
}

function part1(text: Form1Text, { part1: facts, aprComputation }: KeyFactsStatement) {
  return section('part-1', text.word('kfs.form1.part1.title'), [
    table(factsTable(text, text.word('kfs.form1.part1.caption'), part1Facts(text, facts))),
    heading(text.word('kfs.form1.fees.title')),
    table(feesTable(text, facts.fees, aprComputation.feesPayable)),
    heading(text.word('kfs.form1.apr.title')),
    { kind: 'figure', text: text.twoDecimals(facts.annualPercentageRate) },
    { kind: 'paragraph', text: text.word('kfs.form1.apr.meaning') },
    heading(text.word('kfs.form1.contingent.title')),
    table(chargesTable(text, facts.contingentCharges)),
  ]);
}

function gold(text: Form1Text, { collateralExplanation }: KeyFactsStatement): KeyFactsSection[] {
  if (!collateralExplanation) return [];
  return [
    section('collateral', text.word('kfs.form1.gold.title'), [
      { kind: 'paragraph', text: collateralExplanation },
    ]),
  ];
}

function part2(text: Form1Text, { part2: facts }: KeyFactsStatement): KeyFactsSection {
  const digital = text.word('kfs.form1.digital.caption');
  return section('part-2', text.word('kfs.form1.part2.title'), [
    table(factsTable(text, text.word('kfs.form1.part2.caption'), part2Facts(text, facts))),
    heading(text.word('kfs.form1.part2.officer')),
    { kind: 'contact', contact: contact(text, facts.grievanceOfficer) },
    heading(text.word('kfs.form1.digital.title')),
    table(factsTable(text, digital, digitalLoanFacts(text, facts))),
  ]);
}

function annexB(text: Form1Text, { aprComputation }: KeyFactsStatement): KeyFactsSection {
  const facts = aprFacts(text, aprComputation);
  const caption = text.word('kfs.form1.annex-b.caption');
  return section('annex-b', text.word('kfs.form1.annex-b.title'), [
    table(factsTable(text, caption, facts, text.word('kfs.form1.annex-b.parameter'))),
    { kind: 'note', text: text.word('kfs.form1.annex-b.note') },
  ]);
}

function annexC(text: Form1Text, { repaymentSchedule }: KeyFactsStatement): KeyFactsSection {
  const amount = text.rupees(repaymentSchedule.at(-1)?.closingBalance ?? 0);
  return section('annex-c', text.word('kfs.form1.annex-c.title'), [
    table(scheduleTable(text, repaymentSchedule)),
    { kind: 'paragraph', text: text.word('kfs.form1.annex-c.closing', { amount }) },
    { kind: 'note', text: text.word('kfs.form1.annex-c.note') },
  ]);
}

function contact(text: Form1Text, { name, phone, email }: GrievanceOfficer): KeyFactsContact {
  return {
    name,
    phone: {
      label: text.word('kfs.form1.part2.phone'),
      value: phone,
      href: `tel:${phone.replace(/[^\d+]/g, '')}`,
    },
    email: {
      label: text.word('kfs.form1.part2.email'),
      value: email,
      href: `mailto:${encodeURI(email)}`,
    },
  };
}

function section(id: string, title: string, blocks: KeyFactsBlock[]): KeyFactsSection {
  return { id, title, blocks };
}

function heading(text: string): KeyFactsBlock {
  return { kind: 'heading', text };
}

function table(of: ReturnType<typeof factsTable>): KeyFactsBlock {
  return { kind: 'table', table: of };
}
