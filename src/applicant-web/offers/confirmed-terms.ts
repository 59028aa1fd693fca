import type { HostedOffer, HostedQuote } from '../../journeys/index.js';
import { type KeyFactsStatement, readIn } from '../../key-facts/index.js';
import { addMonths, dayInIndia, type Paise } from '../../loans/index.js';
import { lenderIdentityOf } from '../../matching/index.js';
import {
  formatPercent,
  formatRupees,
  joined,
  type Language,
  say,
  sayDate,
  sayDateTime,
  type Shown,
} from '../../platform/index.js';
import type { CreditReportTerms } from '../../settings/index.js';
import { furtherComplaint } from '../steps/further-complaint.js';
import { type ChargeStanding, refundText } from '../steps/lined-up-charges.js';
import { type Fold, type Gold, unpaidFolds } from './gold-folds.js';
import { lateCharge, shortCharge } from './late-charge.js';
import {
  cardFigures,
  type CardRow,
  coLenderRows,
  costADay,
  lenderHead,
  repaidRow,
  row,
  shortName,
} from './offer-card.js';

type Fee = KeyFactsStatement['part1']['fees']['payableToLender'][number];

interface Agreed extends Pick<HostedQuote, 'selection' | 'statement'> {
  readonly offer: Pick<HostedOffer, 'terms'>;
  readonly gold?: Gold;
}

function feeTexts(
  { areFeesPaidFirst, processingFees: amount }: Agreed['selection'],
  { feeOnDecline }: HostedOffer['terms'],
  lender: string,
) {
  if (!areFeesPaidFirst) return null;
  return {
    first: say('steps.fee.first', { amount: formatRupees(amount), lender }),
    refund: refundText({ amount, isKept: feeOnDecline === 'KEPT' }, lender),
  };
}

/**
 * @param charges every contingent charge of any offer, with this offer's text
 * @param moment whether the choice is made on this page
 */
export function confirmedTerms(
  agreed: Agreed,
  charges: readonly ChargeStanding[],
  language: Language,
  moment: EnquiryMoment = 'CHOICE',
) {
  const { selection, offer } = agreed;
  const statement = readIn(agreed.statement, language);
  const { part2, lenderLegalName: lenderName } = statement;
  const { terms } = offer;
  const [emiFigure, aprFigure] = cardFigures(selection);
  return {
    ...lenderHead(lenderName, lenderIdentityOf(terms)),
    figures: [emiFigure, { ...aprFigure, label: say('offers.confirm.apr') }],
    figuresNote: figuresNote(agreed),
    rows: loanRows(agreed, language),
    folds: [
      chargesFold(agreed, charges, language),
      exitFold(agreed),
      ...unpaidFolds(recoveryFold(part2.digitalLoan, lenderName), terms, agreed.gold ?? null),
    ],
    officer: part2.grievanceOfficer,
    further: furtherComplaint(terms),
    enquiry: enquiryNotice(terms, moment, shortName({ lenderName, terms })),
    fee: feeTexts(selection, terms, shortName({ lenderName, terms })),
    validUntil: say('offers.confirm.valid', { when: sayDateTime(statement.validUntil) }),
  };
}

function figuresNote({ selection, statement }: Agreed): Shown {
  const { instalment, tenureMonths } = selection;
  const left = statement.aprComputation.totalPayable - instalment * tenureMonths;
  const last = left > 0 ? 'offers.confirm.last.larger' : 'offers.confirm.last.smaller';
  const when = sayDate(addMonths(dayInIndia(new Date(statement.issuedAt)), 1));
  return joined([left === 0 ? null : say(last), say('offers.confirm.first', { when })]);
}

function loanRows({ selection, statement, offer }: Agreed, language: Language): CardRow[] {
  const { part1 } = readIn(statement, language);
  const { netDisbursed: net, processingFees, areFeesPaidFirst } = selection;
  const fees = [...part1.fees.payableToLender, ...part1.fees.payableToThirdParties];
  const bounce = shortCharge(offer.terms, 'BOUNCED');
  return [
    row('offers.amount', formatRupees(part1.sanctionedAmount)),
    row(
      areFeesPaidFirst ? 'offers.confirm.feesFirst' : 'offers.confirm.fees',
      formatRupees(processingFees),
      fees.map(unbroken).join(', '),
    ),
    row('offers.get', formatRupees(net)),
    totalRow(statement),
    row('offers.confirm.interest', interestText(part1.interest.annualRatePercent)),
    {
      label: say('offers.late'),
      ...lateCharge(
        { ...offer.terms, contingentCharges: statement.part1.contingentCharges },
        inPart1(statement, part1),
      ),
      ...(bounce && { note: say('offers.confirm.bounce', { charge: bounce }) }),
    },
    ...coLenderRows(offer.terms.coLender),
  ];
}

export function interestText(annualRatePercent: number): Shown {
  return say('offers.confirm.interest.value', { rate: formatPercent(annualRatePercent) });
}

function unbroken({ name, amount }: Fee): string {
  return `${name} ${formatRupees(amount)}`.replaceAll(' ', '\u00A0');
}

function inPart1(
  { part1: english }: KeyFactsStatement,
  said: KeyFactsStatement['part1'],
): (text: string) => string {
  return (text) => {
    const place = english.contingentCharges.findIndex(({ description }) => description === text);
    return said.contingentCharges[place]?.description ?? text;
  };
}

/** Charges whose figures are already in the rows. */
function namesInRows({ offer, statement }: Agreed, language: Language): Set<string> {
  const { part1 } = readIn(statement, language);
  const inRows = (offer.terms.unpaidCharges ?? []).filter(({ cause }) => cause !== undefined);
  const english = statement.part1.contingentCharges.map(({ name }) => name);
  return new Set(
    inRows.map(({ name }) => part1.contingentCharges[english.indexOf(name)]?.name ?? name),
  );
}

function chargesFold(agreed: Agreed, charges: readonly ChargeStanding[], language: Language): Fold {
  const { part1 } = readIn(agreed.statement, language);
  const inRows = namesInRows(agreed, language);
  const others = charges.filter(({ name }) => !inRows.has(name));
  const hasUnstated = charges.some(({ standing }) => standing === 'NOT_STATED');
  const { payableToLender, payableToThirdParties } = part1.fees;
  return {
    mark: 'doc',
    heading: say('offers.confirm.charges'),
    gist:
      charges.length > 0
        ? (others.length > 0 ? others : charges).map(({ name }) => name).join(', ')
        : say('offers.late.none'),
    rows: charges.map(({ name, standing, description }) => ({
      label: name,
      value: description ?? say(STANDING_KEYS[standing]),
    })),
    texts: [
      ...(hasUnstated ? [say('offers.confirm.unstated')] : []),
      ...payableToLender.map((fee) => payeeText(fee, 'offers.confirm.payee.lender')),
      ...payableToThirdParties.map((fee) => payeeText(fee, 'offers.confirm.payee.third')),
    ],
  };
}

const STANDING_KEYS: Readonly<Record<ChargeStanding['standing'], string>> = {
  STATED: 'offers.late.none',
  NONE: 'offers.late.none',
  NOT_STATED: 'offers.late.notStated',
};

function payeeText({ name, gst }: Fee, key: string): Shown {
  const tax = gst ? say('offers.confirm.payee.gst', { gst: formatRupees(gst) }) : null;
  return joined([say(key, { name }), tax]);
}

export function exitFold({ statement }: Pick<Agreed, 'statement'>): Fold {
  const { part1, part2 } = statement;
  const count = part2.digitalLoan.coolingOffDays;
  const daily = costADay({ netDisbursed: paidOut(statement), apr: part1.annualPercentageRate });
  return {
    mark: 'repeat',
    heading: say('offers.confirm.exit'),
    gist: say('offers.confirm.exit.gist', { count }),
    texts: [
      say('offers.confirm.exit.text', { daily }),
      ...(arePaidFirst(statement) ? [say('steps.fee.exit')] : []),
    ],
  };
}

function arePaidFirst({ part1 }: KeyFactsStatement): boolean {
  return part1.fees.paid === 'UP_FRONT';
}

/** Charges paid first are not deducted. */
function paidOut(statement: KeyFactsStatement): Paise {
  const { part1, aprComputation } = statement;
  return arePaidFirst(statement) ? part1.sanctionedAmount : aprComputation.netDisbursed;
}

/** Includes charges paid first. */
export function totalRow(statement: KeyFactsStatement): CardRow {
  const { totalPayable, netDisbursed } = statement.aprComputation;
  const isFirst = arePaidFirst(statement);
  const fees = isFirst ? statement.part1.sanctionedAmount - netDisbursed : 0;
  const money = { total: totalPayable + fees, cost: totalPayable - netDisbursed };
  return repaidRow(money, isFirst ? 'instant.repay' : 'offers.repay');
}

export function recoveryFold(
  { recoveryAgentLsp: agent }: KeyFactsStatement['part2']['digitalLoan'],
  lender: string,
): Fold {
  const [gist, text] =
    agent === null
      ? [say('offers.confirm.unpaid.lender'), say('offers.confirm.unpaid.lender.text')]
      : [
          say('offers.confirm.unpaid.agent', { agent }),
          say('offers.confirm.unpaid.agent.text', { agent, lender }),
        ];
  return { mark: 'clock', heading: say('offers.confirm.unpaid'), gist, texts: [text] };
}

/** `CHOSEN`: the lender may already have enquired. */
type EnquiryMoment = 'CHOICE' | 'CHOSEN';

/** For the `ui/callout` partial; may contain **strong** parts. */
interface Notice {
  readonly text: Shown;
  readonly tone?: 'warn';
}

const HARD: Readonly<Record<EnquiryMoment, string>> = {
  CHOICE: 'offers.enquiry.hard',
  CHOSEN: 'offers.enquiry.hard.chosen',
};

/** Null when the lender makes no enquiry after the choice. */
export function enquiryNotice(
  terms: { readonly creditReport?: CreditReportTerms },
  moment: EnquiryMoment,
  lender: string,
): Notice | null {
  switch (terms.creditReport?.afterChoice) {
    case 'NONE':
      return null;
    case 'HARD':
      return {
        text: joined([say(HARD[moment], { lender }), say('offers.enquiry.stays')]),
        tone: 'warn',
      };
    case 'SOFT':
      return { text: say('offers.enquiry.soft', { lender }) };
    default:
      return { text: say('offers.enquiry.unknown'), tone: 'warn' };
  }
}
