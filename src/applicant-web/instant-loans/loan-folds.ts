import type { OfferedLoanView } from '../../instant-loans/index.js';
import {
  formatDate,
  formatPercent,
  formatRupees,
  type Language,
  translate,
} from '../../platform/index.js';
import { costADay } from '../cost-a-day.js';
import type { Fold } from '../offers/gold-folds.js';
import type { CardRow } from '../offers/offer-card.js';
import { cheapestBeside } from './cheapest-offer.js';
import { coLenderRows, daysText, receivedRow, runningName } from './instant-rows.js';

/** A fold of the `instant/folds` partial. */
export interface InstantFold extends Fold {
  /** The Key Facts Statement; its PDF is beside it. */
  readonly kfsHref?: string;
  /** Whether the RBI's list of lenders is named. */
  readonly hasRegister?: boolean;
  /** A text that names our telephone number. */
  readonly textKeys?: readonly string[];
}

/** What a no costs from the moment of the page on, and whom to tell. */
export function noFold(
  view: OfferedLoanView,
  from: 'BEFORE' | 'CHECKING',
  language: Language,
): InstantFold {
  const { endsBy, isFeeKept, coolingOffDays, contact } = view;
  const amount = formatRupees(view.fee);
  const row = (key: string, textKey: string, values = {}): CardRow => ({
    label: translate(language, key, { days: daysText(coolingOffDays, language) }),
    value: translate(language, textKey, { amount, ...values }),
  });
  const now =
    from === 'BEFORE'
      ? [row('instant.no.before', 'instant.no.before.text')]
      : [
          row('instant.no.unpaid', 'instant.no.unpaid.text', {
            when: formatDate(language, endsBy),
          }),
          row('instant.no.deciding', 'instant.no.deciding.text'),
        ];
  return {
    mark: 'repeat',
    heading: translate(language, 'instant.no'),
    gist: translate(language, 'instant.no.gist'),
    rows: [
      ...now,
      row(
        'instant.no.declined',
        isFeeKept ? 'instant.no.declined.kept' : 'instant.no.declined.back',
      ),
      row('instant.no.approved', 'instant.no.approved.text'),
      row('instant.no.left', 'instant.no.left.text', { daily: daily(view, language) }),
    ],
    texts: [
      ...enquiryTexts(view, language),
      translate(language, 'instant.no.tell', { lender: runningName(view), ...contact }),
    ],
  };
}

/** A day of the yearly cost, of what arrives. */
export function daily({ loanAmount: netDisbursed, apr }: OfferedLoanView, language: Language) {
  return costADay({ netDisbursed, apr }, language);
}

/** No fee that goes back undoes a hard enquiry. */
export function enquiryTexts({ creditReport }: OfferedLoanView, language: Language): string[] {
  const isHard = creditReport?.forOffer === 'HARD' || creditReport?.afterChoice === 'HARD';
  return isHard ? [translate(language, 'instant.enquiry.stays')] : [];
}

/** What neither the figures nor the rows of the loan say. */
export function moreFold(view: OfferedLoanView, language: Language): InstantFold {
  const { annualRatePercent, totalPayable, fee, lender, coLender, contingentCharges } = view;
  const say = (key: string, values = {}) => translate(language, key, values);
  const agent = lender.recoveryAgent;
  const cheapest = cheapestBeside(view);
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
      { label: say('steps.mandate.first'), value: say('instant.more.first.text') },
      ...contingentCharges.map(({ name, description }) => ({ label: name, value: description })),
      ...coLenderRows(coLender, language),
      {
        label: say('offers.confirm.unpaid'),
        value:
          agent === null
            ? say('offers.confirm.unpaid.lender')
            : say('instant.more.unpaid.agent', { agent }),
      },
      ...(cheapest === null
        ? []
        : [
            {
              label: say('instant.more.cheaper'),
              value: say('instant.more.cheaper.text', {
                lender: cheapest.lenderName,
                less: formatRupees(cheapest.less),
                emi: formatRupees(cheapest.emi),
                count: cheapest.tenureMonths,
              }),
            },
          ]),
    ],
    texts: [],
    hasRegister: lender.registration !== undefined,
  };
}

/** What is done where money has left the account, and no payment has come. */
export function leftFold({ orderReference }: OfferedLoanView, language: Language): InstantFold {
  return {
    mark: 'alert',
    heading: translate(language, 'instant.left'),
    gist: translate(language, 'instant.left.gist'),
    ...(orderReference && {
      rows: [{ label: translate(language, 'instant.loan.payment'), value: orderReference }],
    }),
    texts: [],
    textKeys: ['instant.left.wait', 'instant.left.bank'],
  };
}

/** The loan in short, with the number of its payment and its statement. */
export function loanFold(
  view: OfferedLoanView,
  headingKey: 'instant.loan' | 'instant.approved.agreed',
  language: Language,
): InstantFold {
  const { instalment, tenureMonths: count, apr, totalPayable, fee, loanAmount } = view;
  const cost = formatRupees(totalPayable + fee - loanAmount);
  return {
    mark: 'doc',
    heading: translate(language, headingKey),
    gist: translate(language, 'instant.loan.gist', {
      emi: formatRupees(instalment),
      months: translate(language, 'common.months', { count }),
      apr: formatPercent(apr),
    }),
    rows: [
      receivedRow(loanAmount, language),
      {
        label: translate(language, 'instant.loan.total'),
        value: formatRupees(totalPayable + fee),
        note: translate(language, 'offers.repay.note', { cost }),
      },
      ...(view.paymentReference
        ? [{ label: translate(language, 'instant.loan.payment'), value: view.paymentReference }]
        : []),
    ],
    texts: [],
    kfsHref: view.keyFactsPath,
  };
}
