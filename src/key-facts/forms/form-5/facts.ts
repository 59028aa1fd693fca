import type { CollaborativeLending } from '../../domain/key-facts-input.js';
import type {
  AprComputation,
  KeyFactsPart1,
  KeyFactsPart2,
} from '../../domain/key-facts-statement.js';
import type { Fact, FormText } from './form-text.js';

/** Part 1, rows 1 to 7. */
export function part1Facts(text: FormText, part1: KeyFactsPart1): Fact[] {
  const { annualRatePercent } = part1.interest;
  return [
    text.fact('1', 'kfs.form5.part1.proposal', part1.loanProposalNumber),
    text.fact('', 'kfs.form5.part1.loan-type', part1.loanType),
    text.fact('2', 'kfs.form5.part1.amount', text.rupees(part1.sanctionedAmount)),
    text.fact('3', 'kfs.form5.part1.disbursal', text.word('kfs.form5.upfront')),
    text.fact('4', 'kfs.form5.part1.term', text.months(part1.termMonths)),
    text.fact(
      '5',
      'kfs.form5.part1.instalment-type',
      text.word('kfs.form5.part1.instalment-type-detail'),
    ),
    text.fact('', 'kfs.form5.part1.instalment-count', String(part1.instalments.count)),
    text.fact('', 'kfs.form5.part1.instalment', text.rupees(part1.instalments.amount)),
    text.fact('', 'kfs.form5.part1.commencement', text.word('kfs.form5.first-instalment')),
    text.fact(
      '6',
      'kfs.form5.part1.interest',
      text.word('kfs.form5.fixed-rate', { percent: text.percent(annualRatePercent) }),
    ),
    text.fact('7', 'kfs.form5.part1.floating', text.word('kfs.form5.part1.floating-detail')),
  ];
}

/** Part 2, rows 1, 2, 4 and 5. */
export function part2Facts(text: FormText, part2: KeyFactsPart2): Fact[] {
  return [
    text.fact('1', 'kfs.form5.part2.recovery', part2.recoveryAgentsClause),
    text.fact('2', 'kfs.form5.part2.redressal', part2.grievanceRedressalClause),
    text.fact(
      '4',
      'kfs.form5.part2.transfer',
      text.word(part2.mayBeTransferred ? 'kfs.form5.yes' : 'kfs.form5.no'),
    ),
    ...collaborativeFacts(text, part2.collaborativeLending),
  ];
}

function collaborativeFacts(text: FormText, lending: CollaborativeLending | null): Fact[] {
  if (lending === null) {
    return [text.fact('5', 'kfs.form5.part2.collaborative', text.word('kfs.form5.not-applicable'))];
  }
  const share = ({ name, sharePercent }: CollaborativeLending['partnerLender']) =>
    text.word('kfs.form5.part2.share', { name, percent: text.percent(sharePercent) });
  return [
    text.fact('5', 'kfs.form5.part2.originating', share(lending.originatingLender)),
    text.fact('', 'kfs.form5.part2.partner', share(lending.partnerLender)),
    text.fact('', 'kfs.form5.part2.blended', text.yearly(lending.blendedRatePercent)),
  ];
}

/** Part 2, row 6. */
export function digitalLoanFacts(text: FormText, part2: KeyFactsPart2): Fact[] {
  const { coolingOffDays, recoveryAgentLsp } = part2.digitalLoan;
  return [
    text.fact('6 (i)', 'kfs.form5.digital.cooling-off', text.days(coolingOffDays)),
    text.fact(
      '6 (ii)',
      'kfs.form5.digital.recovery-agent',
      recoveryAgentLsp ?? text.word('kfs.form5.none'),
    ),
  ];
}

/** Annex B. */
export function aprFacts(text: FormText, apr: AprComputation): Fact[] {
  const notApplicable = text.word('kfs.form5.not-applicable');
  return [
    text.fact('1', 'kfs.form5.part1.amount', text.rupees(apr.sanctionedAmount)),
    text.fact('2', 'kfs.form5.part1.term', text.months(apr.termMonths)),
    text.fact('2 (a)', 'kfs.form5.annex-b.principal-instalments', notApplicable),
    text.fact('2 (b)', 'kfs.form5.annex-b.instalments', instalments(text, apr)),
    text.fact('2 (c)', 'kfs.form5.annex-b.capitalised', notApplicable),
    text.fact('2 (d)', 'kfs.form5.part1.commencement', text.word('kfs.form5.first-instalment')),
    text.fact('3', 'kfs.form5.annex-b.rate-type', text.word('kfs.form5.annex-b.fixed')),
    text.fact('4', 'kfs.form5.annex-b.rate', text.yearly(apr.annualRatePercent)),
    text.fact('5', 'kfs.form5.annex-b.interest', text.rupees(apr.totalInterest)),
    text.fact('6', 'kfs.form5.annex-b.fees', text.rupees(apr.feesPayable)),
    text.fact('6 (A)', 'kfs.form5.annex-b.to-lender', text.rupees(apr.feesPayableToLender)),
    text.fact(
      '6 (B)',
      'kfs.form5.annex-b.to-third-parties',
      text.rupees(apr.feesPayableToThirdParties),
    ),
    text.fact('7', 'kfs.form5.annex-b.net', text.rupees(apr.netDisbursed)),
    text.fact('8', 'kfs.form5.annex-b.total', text.rupees(apr.totalPayable)),
    text.fact('9', 'kfs.form5.annex-b.apr', text.twoDecimals(apr.annualPercentageRate)),
    text.fact('10', 'kfs.form5.annex-b.disbursement', text.word('kfs.form5.upfront')),
    text.fact('11', 'kfs.form5.annex-b.due', text.word('kfs.form5.annex-b.due-detail')),
  ];
}

function instalments(text: FormText, apr: AprComputation): string {
  return text.word('kfs.form5.annex-b.instalments-detail', {
    instalment: text.rupees(apr.instalment),
    instalments: text.word('kfs.form5.instalments', { count: apr.instalmentCount }),
  });
}
