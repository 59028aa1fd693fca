import type { HostedOffer, HostedQuote } from '../../journeys/index.js';
import { type KeyFactsStatement, readIn } from '../../key-facts/index.js';
import { addMonths, dayInIndia } from '../../loans/index.js';
import {
  formatDate,
  formatDateTime,
  formatPercent,
  formatRupees,
  type Language,
  translate,
} from '../../platform/index.js';
import { costADay } from '../cost-a-day.js';
import { creditEnquiry, type EnquiryMoment } from '../credit-enquiry.js';
import { type FurtherComplaint, furtherComplaint } from './further-complaint.js';
import { lenderIdentity, recoveryAgent, recoveryNote } from './lender-identity.js';
import { loanFigures, type ShownFigure } from './loan-figures.js';

/** A row of the `summary-list` partial. */
export interface SummaryRow {
  readonly label?: string;
  readonly labelKey?: string;
  readonly value: string;
  readonly note?: string;
}

type Fee = KeyFactsStatement['part1']['fees']['payableToLender'][number];

/** What a summary is drawn from. */
interface Summarised extends Pick<HostedQuote, 'selection' | 'statement'> {
  readonly offer: Pick<HostedOffer, 'terms'>;
}

/** What is agreed to, in short, above the link to the whole statement. */
export interface KeyFactsSummary {
  readonly lenderName: string;
  readonly figures: readonly ShownFigure[];
  readonly loan: readonly SummaryRow[];
  readonly fees: readonly SummaryRow[];
  readonly contingentCharges: readonly { readonly name: string; readonly description: string }[];
  readonly coolingOffDays: number;
  /** What a day costs whoever leaves the loan in the cooling-off period, as it is written. */
  readonly costADay: string;
  /** What the choice means for the credit report; null: nothing. */
  readonly enquiry: string | null;
  readonly grievance: KeyFactsStatement['part2']['grievanceOfficer'];
  readonly further: FurtherComplaint;
}

/** @param moment whether the choice is made on the page, or was made before */
export function keyFactsSummary(
  { selection, statement, offer }: Summarised,
  language: Language,
  moment: EnquiryMoment = 'CHOICE',
): KeyFactsSummary {
  const { part1, part2, lenderLegalName } = readIn(statement, language);
  return {
    lenderName: lenderLegalName,
    figures: loanFigures({ selection, statement }, language),
    loan: loanRows({ statement, offer }, language),
    fees: [
      ...part1.fees.payableToLender.map((fee) => feeRow(fee, language, 'steps.fee.lender')),
      ...part1.fees.payableToThirdParties.map((fee) =>
        feeRow(fee, language, 'steps.fee.thirdParty'),
      ),
    ],
    contingentCharges: part1.contingentCharges,
    coolingOffDays: part2.digitalLoan.coolingOffDays,
    costADay: costADay(
      { netDisbursed: statement.aprComputation.netDisbursed, apr: part1.annualPercentageRate },
      language,
    ),
    enquiry: creditEnquiry(offer.terms, moment, lenderLegalName, language),
    grievance: part2.grievanceOfficer,
    further: furtherComplaint(offer.terms),
  };
}

/** What the figures above do not say. */
function loanRows(
  { statement, offer }: Pick<Summarised, 'statement' | 'offer'>,
  language: Language,
): SummaryRow[] {
  const { part1, part2, lenderLegalName } = readIn(statement, language);
  return [
    {
      labelKey: 'common.offer.lender',
      value: lenderLegalName,
      note: lenderIdentity(offer.terms, language),
    },
    { labelKey: 'common.offer.amount', value: formatRupees(part1.sanctionedAmount) },
    {
      labelKey: 'common.offer.rate',
      value: formatPercent(part1.interest.annualRatePercent),
      note: translate(language, 'steps.confirm.rate.note'),
    },
    {
      labelKey: 'common.offer.first',
      value: translate(language, 'common.offer.notBefore', {
        when: formatDate(language, addMonths(dayInIndia(new Date(statement.issuedAt)), 1)),
      }),
      note: translate(language, 'common.offer.first.note'),
    },
    {
      labelKey: 'common.offer.recovery',
      value: recoveryAgent(part2.digitalLoan, language),
      note: recoveryNote(part2.digitalLoan, lenderLegalName, language),
    },
    { labelKey: 'steps.confirm.valid', value: formatDateTime(language, statement.validUntil) },
  ];
}

function feeRow(fee: Fee, language: Language, payeeKey: string): SummaryRow {
  const payee = translate(language, payeeKey);
  const gst =
    fee.gst === null || fee.gst === 0
      ? payee
      : translate(language, 'steps.fee.gst', { payee, gst: formatRupees(fee.gst) });
  return { label: fee.name, value: formatRupees(fee.amount), note: gst };
}
