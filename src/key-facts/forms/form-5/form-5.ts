import type { Language } from '../../../platform/index.js';
import type { GrievanceOfficer } from '../../../settings/index.js';
import type { KeyFactsStatement } from '../../domain/key-facts-statement.js';
import { readIn } from '../../domain/key-facts-view.js';
import type {
  KeyFactsBlock,
  KeyFactsContact,
  KeyFactsDocument,
  KeyFactsSection,
  KeyFactsSummary,
  KeyFactsWords,
  LabelledText,
} from '../key-facts-document.js';
import { aprFacts, digitalLoanFacts, part1Facts, part2Facts } from './facts.js';
import { FormText } from './form-text.js';
import { chargesTable, factsTable, feesTable, scheduleTable } from './tables.js';

/**
 * Annexes A, B and C of RBI/2024-25/18, in order. An agreed statement keeps its form: never change this folder or
 * `kfs.form5.*`. A better form is a new version (docs/adr/0009).
 */
export function keyFactsForm5(
  stated: KeyFactsStatement,
  words: KeyFactsWords,
  language: Language,
): KeyFactsDocument {
  const statement = readIn(stated, language);
  const text = new FormText(words);
  return {
    heading: text.word('kfs.form5.title'),
    opening: opening(text, statement),
    summary: summary(text, statement),
    sections: [
      part1(text, statement),
      ...gold(text, statement),
      part2(text, statement),
      annexB(text, statement),
      annexC(text, statement),
    ],
    colophon: text.word('kfs.form5.colophon', { circular: statement.circular }),
  };
}

function opening(text: FormText, statement: KeyFactsStatement): LabelledText[] {
  return [
    { label: text.word('kfs.form5.lender'), value: statement.lenderLegalName },
    { label: text.word('kfs.form5.lsp'), value: statement.lspName },
    { label: text.word('kfs.form5.proposal'), value: statement.part1.loanProposalNumber },
    { label: text.word('kfs.form5.issued'), value: text.date(statement.issuedAt) },
    { label: text.word('kfs.form5.valid'), value: text.dateTime(statement.validUntil) },
  ];
}

function summary(text: FormText, statement: KeyFactsStatement): KeyFactsSummary {
  return {
    title: text.word('kfs.form5.short.title'),
    figures: cardFigures(text, statement),
    sentences: sentences(text, statement),
  };
}

function cardFigures(text: FormText, statement: KeyFactsStatement): LabelledText[] {
  const { aprComputation: of } = statement;
  const isUpFront = isPaidUpFront(statement) && of.feesPayable > 0;
  const received = isUpFront ? of.sanctionedAmount : of.netDisbursed;
  const repaid = isUpFront ? of.totalPayable + of.feesPayable : of.totalPayable;
  const repay = isUpFront ? 'kfs.form5.short.repay-with-fee' : 'kfs.form5.short.repay';
  return [
    {
      label: text.word('kfs.form5.short.emi', { count: of.instalmentCount }),
      value: text.rupees(of.instalment),
    },
    { label: text.word('kfs.form5.short.apr'), value: text.twoDecimals(of.annualPercentageRate) },
    { label: text.word('kfs.form5.short.get'), value: text.rupees(received) },
    { label: text.word(repay), value: text.rupees(repaid) },
  ];
}

function sentences(text: FormText, statement: KeyFactsStatement): string[] {
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
    'kfs.form5.short.pay-back',
    'kfs.form5.short.cost',
    'kfs.form5.short.cooling-off',
    'kfs.form5.short.consent',
  ].map((key) => text.word(key, values));
}

function receiving(statement: KeyFactsStatement): string {
  if (statement.aprComputation.feesPayable === 0) return 'kfs.form5.short.receive-all';
  return isPaidUpFront(statement) ? 'kfs.form5.short.receive-up-front' : 'kfs.form5.short.receive';
}

function isPaidUpFront({ part1: { fees } }: KeyFactsStatement): boolean {
  return fees.paid === 'UP_FRONT';
}

function part1(text: FormText, { part1: facts, aprComputation }: KeyFactsStatement) {
  return section('part-1', text.word('kfs.form5.part1.title'), [
    table(factsTable(text, text.word('kfs.form5.part1.caption'), part1Facts(text, facts))),
    heading(text.word('kfs.form5.fees.title')),
    table(feesTable(text, facts.fees, aprComputation.feesPayable)),
    heading(text.word('kfs.form5.apr.title')),
    { kind: 'figure', text: text.twoDecimals(facts.annualPercentageRate) },
    { kind: 'paragraph', text: text.word('kfs.form5.apr.meaning') },
    heading(text.word('kfs.form5.contingent.title')),
    table(chargesTable(text, facts.contingentCharges)),
  ]);
}

function gold(text: FormText, { collateralExplanation }: KeyFactsStatement): KeyFactsSection[] {
  if (!collateralExplanation) return [];
  return [
    section('collateral', text.word('kfs.form5.gold.title'), [
      { kind: 'paragraph', text: collateralExplanation },
    ]),
  ];
}

function part2(text: FormText, { part2: facts }: KeyFactsStatement): KeyFactsSection {
  const digital = text.word('kfs.form5.digital.caption');
  return section('part-2', text.word('kfs.form5.part2.title'), [
    table(factsTable(text, text.word('kfs.form5.part2.caption'), part2Facts(text, facts))),
    heading(text.word('kfs.form5.part2.officer')),
    { kind: 'contact', contact: contact(text, facts.grievanceOfficer) },
    heading(text.word('kfs.form5.digital.title')),
    table(factsTable(text, digital, digitalLoanFacts(text, facts))),
  ]);
}

function annexB(text: FormText, { aprComputation }: KeyFactsStatement): KeyFactsSection {
  const facts = aprFacts(text, aprComputation);
  const caption = text.word('kfs.form5.annex-b.caption');
  return section('annex-b', text.word('kfs.form5.annex-b.title'), [
    table(factsTable(text, caption, facts, 'kfs.form5.annex-b.parameter')),
    { kind: 'note', text: text.word('kfs.form5.annex-b.note') },
  ]);
}

function annexC(
  text: FormText,
  { repaymentSchedule, aprComputation }: KeyFactsStatement,
): KeyFactsSection {
  const amount = text.rupees(repaymentSchedule.at(-1)?.closingBalance ?? 0);
  const total = text.rupees(aprComputation.totalPayable);
  return section('annex-c', text.word('kfs.form5.annex-c.title'), [
    table(scheduleTable(text, repaymentSchedule)),
    { kind: 'paragraph', text: text.word('kfs.form5.annex-c.closing', { amount }) },
    { kind: 'note', text: text.word('kfs.form5.annex-c.note', { total }) },
  ]);
}

function contact(text: FormText, { name, phone, email }: GrievanceOfficer): KeyFactsContact {
  return {
    name,
    phone: {
      label: text.word('kfs.form5.part2.phone'),
      value: phone,
      href: `tel:${phone.replace(/[^\d+]/g, '')}`,
    },
    email: {
      label: text.word('kfs.form5.part2.email'),
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
