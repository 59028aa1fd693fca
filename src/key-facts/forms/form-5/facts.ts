import type { CollaborativeLending } from '../../statement/key-facts-input.js';
import type {
  AprComputation,
  KeyFactsPart1,
  KeyFactsPart2,
} from '../../statement/key-facts-statement.js';
import type { Fact } from './tables.js';
import type { FormText } from './form-text.js';

/** Part 1, rows 1 to 7. */
export function part1Facts(text: FormText, part1: KeyFactsPart1): Fact[] {
  const { annualRatePercent } = part1.interest;
  return [
    fact('1', text.word('kfs.form5.part1.proposal'), part1.loanProposalNumber),
    fact('', text.word('kfs.form5.part1.loan-type'), part1.loanType),
    fact('2', text.word('kfs.form5.part1.amount'), text.rupees(part1.sanctionedAmount)),
    fact('3', text.word('kfs.form5.part1.disbursal'), text.word('kfs.form5.upfront')),
    fact('4', text.word('kfs.form5.part1.term'), text.months(part1.termMonths)),
    fact(
      '5',
      text.word('kfs.form5.part1.instalment-type'),
      text.word('kfs.form5.part1.instalment-type-detail'),
    ),
    fact('', text.word('kfs.form5.part1.instalment-count'), String(part1.instalments.count)),
    fact('', text.word('kfs.form5.part1.instalment'), text.rupees(part1.instalments.amount)),
    fact('', text.word('kfs.form5.part1.commencement'), text.word('kfs.form5.first-instalment')),
    fact(
      '6',
      text.word('kfs.form5.part1.interest'),
      text.word('kfs.form5.fixed-rate', { percent: text.percent(annualRatePercent) }),
    ),
    fact('7', text.word('kfs.form5.part1.floating'), text.word('kfs.form5.part1.floating-detail')),
  ];
}

/** Part 2, rows 1, 2, 4 and 5; rows 3 and 6 have their own headings. */
export function part2Facts(text: FormText, part2: KeyFactsPart2): Fact[] {
  return [
    fact('1', text.word('kfs.form5.part2.recovery'), part2.recoveryAgentsClause),
    fact('2', text.word('kfs.form5.part2.redressal'), part2.grievanceRedressalClause),
    fact(
      '4',
      text.word('kfs.form5.part2.transfer'),
      text.word(part2.mayBeTransferred ? 'kfs.form5.yes' : 'kfs.form5.no'),
    ),
    ...collaborativeFacts(text, part2.collaborativeLending),
  ];
}

function collaborativeFacts(text: FormText, lending: CollaborativeLending | null): Fact[] {
  if (lending === null) {
    return [
      fact('5', text.word('kfs.form5.part2.collaborative'), text.word('kfs.form5.not-applicable')),
    ];
  }
  const share = ({ name, sharePercent }: CollaborativeLending['partnerLender']) =>
    text.word('kfs.form5.part2.share', { name, percent: text.percent(sharePercent) });
  return [
    fact('5', text.word('kfs.form5.part2.originating'), share(lending.originatingLender)),
    fact('', text.word('kfs.form5.part2.partner'), share(lending.partnerLender)),
    fact('', text.word('kfs.form5.part2.blended'), text.yearly(lending.blendedRatePercent)),
  ];
}

/** Part 2, row 6. */
export function digitalLoanFacts(text: FormText, part2: KeyFactsPart2): Fact[] {
  const { coolingOffDays, recoveryAgentLsp } = part2.digitalLoan;
  return [
    fact('6 (i)', text.word('kfs.form5.digital.cooling-off'), text.days(coolingOffDays)),
    fact(
      '6 (ii)',
      text.word('kfs.form5.digital.recovery-agent'),
      recoveryAgentLsp ?? text.word('kfs.form5.none'),
    ),
  ];
}

/** Annex B. */
export function aprFacts(text: FormText, apr: AprComputation): Fact[] {
  const notApplicable = text.word('kfs.form5.not-applicable');
  return [
    fact('1', text.word('kfs.form5.part1.amount'), text.rupees(apr.sanctionedAmount)),
    fact('2', text.word('kfs.form5.part1.term'), text.months(apr.termMonths)),
    fact('2 (a)', text.word('kfs.form5.annex-b.principal-instalments'), notApplicable),
    fact('2 (b)', text.word('kfs.form5.annex-b.instalments'), instalments(text, apr)),
    fact('2 (c)', text.word('kfs.form5.annex-b.capitalised'), notApplicable),
    fact(
      '2 (d)',
      text.word('kfs.form5.part1.commencement'),
      text.word('kfs.form5.first-instalment'),
    ),
    fact('3', text.word('kfs.form5.annex-b.rate-type'), text.word('kfs.form5.annex-b.fixed')),
    fact('4', text.word('kfs.form5.annex-b.rate'), text.yearly(apr.annualRatePercent)),
    fact('5', text.word('kfs.form5.annex-b.interest'), text.rupees(apr.totalInterest)),
    fact('6', text.word('kfs.form5.annex-b.fees'), text.rupees(apr.feesPayable)),
    fact('6 (A)', text.word('kfs.form5.annex-b.to-lender'), text.rupees(apr.feesPayableToLender)),
    fact(
      '6 (B)',
      text.word('kfs.form5.annex-b.to-third-parties'),
      text.rupees(apr.feesPayableToThirdParties),
    ),
    fact('7', text.word('kfs.form5.annex-b.net'), text.rupees(apr.netDisbursed)),
    fact('8', text.word('kfs.form5.annex-b.total'), text.rupees(apr.totalPayable)),
    fact('9', text.word('kfs.form5.annex-b.apr'), text.twoDecimals(apr.annualPercentageRate)),
    fact('10', text.word('kfs.form5.annex-b.disbursement'), text.word('kfs.form5.upfront')),
    fact('11', text.word('kfs.form5.annex-b.due'), text.word('kfs.form5.annex-b.due-detail')),
  ];
}

function instalments(text: FormText, apr: AprComputation): string {
  return text.word('kfs.form5.annex-b.instalments-detail', {
    instalment: text.rupees(apr.instalment),
    instalments: text.word('kfs.form5.instalments', { count: apr.instalmentCount }),
  });
}

function fact(number: string, label: string, value: string): Fact {
  return { number, label, value };
}
