import type { OfferedLoanView } from '../../instant-loans/index.js';
import {
  formatDate,
  formatPercent,
  formatRupees,
  type Language,
  translate,
} from '../../platform/index.js';
import type { Fold } from '../offers/gold-folds.js';
import { type CardRow, coLenderRows, costADay } from '../offers/offer-card.js';
import { daysText, receivedRow, repaidWithFeeRow, runningName } from './instant-rows.js';
import { refundNumbers } from './refund-cards.js';

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
export function noFold(view: OfferedLoanView, from: NoStage, language: Language): InstantFold {
  const { endsBy, coolingOffDays, contact } = view;
  const amount = formatRupees(view.fee);
  const days = daysText(coolingOffDays, language);
  const say = (key: string, values = {}) => translate(language, key, { amount, days, ...values });
  const row = (key: string, value: string): CardRow => ({ label: say(key), value });
  const rows: Readonly<Record<NoStage, CardRow[]>> = {
    UNPAID: [
      row(
        'instant.no.unpaid',
        say('instant.no.unpaid.text', { when: formatDate(language, endsBy) }),
      ),
    ],
    DECIDING: [
      row('instant.no.deciding', say('instant.no.deciding.text')),
      row('instant.no.declined', declinedText(view, language)),
    ],
    APPROVED: [
      row('instant.no.approved', say('instant.no.approved.text')),
      row('instant.no.left', say('instant.no.left.text', { daily: daily(view, language) })),
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
    gist: say(gists[from]),
    rows: STAGES.slice(STAGES.indexOf(from)).flatMap((stage) => rows[stage]),
    texts: [
      ...enquiryTexts(view, language),
      say('instant.no.tell', { lender: runningName(view), ...contact }),
    ],
  };
}

export function declinedText({ fee, isFeeKept }: OfferedLoanView, language: Language): string {
  const key = isFeeKept ? 'instant.no.declined.kept' : 'instant.no.declined.back';
  return translate(language, key, { amount: formatRupees(fee) });
}

function daily({ loanAmount: netDisbursed, apr }: OfferedLoanView, language: Language) {
  return costADay({ netDisbursed, apr }, language);
}

/** A refund does not undo a hard enquiry. */
export function enquiryTexts({ creditReport }: OfferedLoanView, language: Language): string[] {
  const isHard = creditReport?.forOffer === 'HARD' || creditReport?.afterChoice === 'HARD';
  return isHard ? [translate(language, 'entry.asked.enquiries')] : [];
}

export function moreFold(view: OfferedLoanView, language: Language): InstantFold {
  const { annualRatePercent, totalPayable, fee, lender, coLender, contingentCharges } = view;
  const say = (key: string, values = {}) => translate(language, key, values);
  const agent = lender.recoveryAgent;
  return {
    mark: 'doc',
    heading: say('instant.more'),
    gist: say('instant.more.gist'),
    rows: [
      {
        label: say('offers.confirm.interest'),
        value: say('offers.confirm.interest.value', { rate: formatPercent(annualRatePercent) }),
      },
      {
        label: say('instant.more.instalments'),
        value: `${formatRupees(totalPayable)} + ${formatRupees(fee)}`,
      },
      { label: say('steps.mandate.first'), value: say('steps.money.first.note') },
      ...contingentCharges.map(({ name, description }) => ({ label: name, value: description })),
      ...coLenderRows(coLender, language),
      {
        label: say('offers.confirm.unpaid'),
        ...(agent === null
          ? { value: say('offers.confirm.unpaid.lender') }
          : {
              value: say('offers.confirm.unpaid.agent', { agent }),
              note: say('offers.confirm.unpaid.agent.text', { agent, lender: view.lenderName }),
            }),
      },
    ],
    texts: [],
    hasRegister: lender.registration !== undefined,
  };
}

export function leftFold({ orderReference }: OfferedLoanView, language: Language): InstantFold {
  return {
    mark: 'alert',
    heading: translate(language, 'instant.left'),
    gist: translate(language, 'instant.left.gist'),
    rows: refundNumbers({ paymentReference: orderReference }, language),
    texts: [],
    textKeys: ['instant.left.wait', 'instant.left.bank'],
  };
}

/** @param payment the gateway's reference */
export function loanFold(
  view: OfferedLoanView,
  language: Language,
  payment = view.paymentReference,
): InstantFold {
  const { instalment, tenureMonths: count, apr } = view;
  return {
    mark: 'doc',
    heading: translate(language, 'instant.loan'),
    gist: translate(language, 'instant.loan.gist', {
      emi: formatRupees(instalment),
      months: translate(language, 'common.months', { count }),
      apr: formatPercent(apr),
    }),
    rows: [
      receivedRow(view.loanAmount, language),
      repaidWithFeeRow(view, language),
      ...refundNumbers({ paymentReference: payment }, language),
    ],
    texts: [],
    kfsHref: view.keyFactsPath,
  };
}
