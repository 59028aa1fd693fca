import type { OfferedLoanView } from '../../instant-loans/index.js';
import type { HostedLender } from '../../journeys/index.js';
import type { Paise } from '../../loans/index.js';
import { formatPercent, formatRupees, say, sayDate, type Shown } from '../../platform/index.js';
import { interestText } from '../offers/confirmed-terms.js';
import type { Fold } from '../offers/gold-folds.js';
import { type CardRow, coLenderRows, costADay, repaidRow, row } from '../offers/offer-card.js';
import { lendersWithout, type LenderWithout, NO_OFFER_REASONS } from '../offers/offer-cards.js';
import { refundNumbers } from './refund-cards.js';

const AWAITED: ReadonlySet<HostedLender['status']> = new Set(['WAITING', 'UNREACHABLE']);

export function shownLender({ name, status }: HostedLender) {
  return {
    name,
    standing: say(NO_OFFER_REASONS[status] ?? 'entry.waiting.offered'),
    hasOffer: status === 'OFFERED',
    isAwaited: AWAITED.has(status),
  };
}

export function instantLendersWithout({
  lenders,
  notLending,
}: Pick<OfferedLoanView, 'lenders' | 'notLending'>): LenderWithout[] {
  return [
    ...lendersWithout(lenders),
    ...notLending.map((name) => ({ name, reason: say('instant.choose.without') })),
  ];
}

/** Paise. The fee is paid separately, so the whole loan is disbursed. */
interface Money {
  readonly loanAmount: Paise;
  readonly fee: Paise;
  readonly totalPayable: Paise;
}

export function receivedRow(loanAmount: Paise): CardRow {
  return row('offers.get', formatRupees(loanAmount));
}

export function repaidWithFeeRow({ loanAmount, fee, totalPayable }: Money): CardRow {
  const total = totalPayable + fee;
  return repaidRow({ total, cost: total - loanAmount }, 'instant.repay');
}

export function runningName({
  lender,
  lenderName,
}: Pick<OfferedLoanView, 'lender' | 'lenderName'>): string {
  return lender.shortName ?? lenderName;
}

export function daysText(count: number): Shown {
  return say('common.offer.days', { count });
}

export interface InstantFold extends Fold {
  readonly kfsHref?: string;
  readonly hasRegister?: boolean;
  /** Texts that contain our phone number. */
  readonly textKeys?: readonly string[];
}

/** Stages at which an applicant may refuse, in order. */
const STAGES = ['UNPAID', 'DECIDING', 'APPROVED'] as const;
type NoStage = (typeof STAGES)[number];

/** What refusing costs from this stage on. */
export function noFold(view: OfferedLoanView, from: NoStage): InstantFold {
  const { endsBy, coolingOffDays, contact } = view;
  const amount = formatRupees(view.fee);
  const days = daysText(coolingOffDays);
  const rows: Readonly<Record<NoStage, CardRow[]>> = {
    UNPAID: [row('instant.no.unpaid', say('instant.no.unpaid.text', { when: sayDate(endsBy) }))],
    DECIDING: [
      row('instant.no.deciding', say('instant.no.deciding.text')),
      row('instant.no.declined', declinedText(view)),
    ],
    APPROVED: [
      row('instant.no.approved', say('instant.no.approved.text', { amount })),
      {
        label: say('instant.no.left', { days }),
        value: say('instant.no.left.text', { amount, daily: daily(view) }),
      },
    ],
  };
  const gists: Readonly<Record<NoStage, string>> = {
    UNPAID: 'instant.no.gist',
    DECIDING: 'instant.no.later',
    APPROVED: 'instant.no.left',
  };
  return {
    mark: 'shield',
    heading: say('instant.no'),
    gist: say(gists[from], { days }),
    rows: STAGES.slice(STAGES.indexOf(from)).flatMap((stage) => rows[stage]),
    texts: [
      ...enquiryTexts(view),
      say('instant.no.tell', { lender: runningName(view), ...contact }),
    ],
  };
}

export function declinedText({ fee, isFeeKept }: OfferedLoanView): Shown {
  const key = isFeeKept ? 'instant.no.declined.kept' : 'instant.no.declined.back';
  return say(key, { amount: formatRupees(fee) });
}

function daily({ loanAmount: netDisbursed, apr }: OfferedLoanView) {
  return costADay({ netDisbursed, apr });
}

/** A refund does not undo a hard enquiry. */
export function enquiryTexts({ creditReport }: OfferedLoanView): Shown[] {
  const isHard = creditReport?.forOffer === 'HARD' || creditReport?.afterChoice === 'HARD';
  return isHard ? [say('entry.asked.enquiries')] : [];
}

export function moreFold(view: OfferedLoanView): InstantFold {
  const { annualRatePercent, totalPayable, fee, lender, coLender, contingentCharges } = view;
  const agent = lender.recoveryAgent;
  return {
    mark: 'doc',
    heading: say('instant.more'),
    gist: say('instant.more.gist'),
    rows: [
      row('offers.confirm.interest', interestText(annualRatePercent)),
      row('instant.more.instalments', `${formatRupees(totalPayable)} + ${formatRupees(fee)}`),
      row('steps.mandate.first', say('steps.money.first.note')),
      ...contingentCharges.map(({ name, description }) => ({ label: name, value: description })),
      ...coLenderRows(coLender),
      agent === null
        ? row('offers.confirm.unpaid', say('offers.confirm.unpaid.lender'))
        : row(
            'offers.confirm.unpaid',
            say('offers.confirm.unpaid.agent', { agent }),
            say('offers.confirm.unpaid.agent.text', { agent, lender: view.lenderName }),
          ),
    ],
    texts: [],
    hasRegister: lender.registration !== undefined,
  };
}

export function leftFold({ orderReference }: OfferedLoanView): InstantFold {
  return {
    mark: 'alert',
    heading: say('instant.left'),
    gist: say('instant.left.gist'),
    rows: refundNumbers({ paymentReference: orderReference }),
    texts: [],
    textKeys: ['instant.left.wait', 'instant.left.bank'],
  };
}

/** @param payment the gateway's reference */
export function loanFold(view: OfferedLoanView, payment = view.paymentReference): InstantFold {
  const { instalment, tenureMonths: count, apr } = view;
  return {
    mark: 'doc',
    heading: say('instant.loan'),
    gist: say('instant.loan.gist', {
      emi: formatRupees(instalment),
      months: say('common.months', { count }),
      apr: formatPercent(apr),
    }),
    rows: [
      receivedRow(view.loanAmount),
      repaidWithFeeRow(view),
      ...refundNumbers({ paymentReference: payment }),
    ],
    texts: [],
    kfsHref: view.keyFactsPath,
  };
}
