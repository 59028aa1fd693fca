import type { OfferedLoanView } from '../../instant-loans/index.js';
import {
  formatDateTime,
  formatMoney,
  formatRupees,
  type Language,
  Page,
  type ScreenModel,
  translate,
} from '../../platform/index.js';
import { adviceRows } from '../entry/rejection-texts.js';
import { furtherComplaint } from '../steps/further-complaint.js';
import { runningName, softText } from './instant-rows.js';
import {
  declinedText,
  enquiryTexts,
  type InstantFold,
  leftFold,
  loanFold,
  noFold,
} from './loan-folds.js';
import { othersLink, paymentPart } from './pay-screen.js';
import { type Moment, refundCards, refundMoments, refundNumbers } from './refund-cards.js';

interface Status {
  readonly template?: string;
  readonly heading: string;
  readonly lead: string;
  readonly moments: readonly Moment[];
  readonly folds: readonly InstantFold[];
  readonly model: ScreenModel;
}

function paidMoment({ fee, paidAt }: OfferedLoanView, language: Language): Moment {
  return {
    text: translate(language, 'instant.waiting.paid', { amount: formatRupees(fee) }),
    ...(paidAt && { note: formatDateTime(language, paidAt) }),
    isDone: true,
  };
}

const ADVICE = ['entry.advice.report', 'entry.advice.documents'];

function declined(view: OfferedLoanView, language: Language): Status {
  const { lenderName: lender, feeBack, paymentReference, isFeeKept } = view;
  const say = (key: string, values = {}) => translate(language, key, values);
  const numbers = refundNumbers(feeBack ?? { paymentReference }, language);
  const back = feeBack ? formatMoney(feeBack.amount, feeBack.currency) : formatRupees(view.fee);
  const advice = adviceRows({ adviceKeys: ADVICE }, lender, language);
  return {
    heading:
      feeBack?.standing === 'STUCK' || (!feeBack && isFeeKept)
        ? say('instant.no.declined')
        : say('instant.declined.back', { amount: back }),
    lead: `${say('instant.declined.lead', { lender })} ${say('entry.owed.nothing')}`,
    moments: [paidMoment(view, language), ...declinedFee(view, language)],
    folds: [
      ...numbers.slice(0, 1).map(({ label, value }) => ({
        mark: 'doc',
        heading: label,
        gist: value,
        rows: numbers.slice(1),
        texts: [],
        kfsHref: view.keyFactsPath,
      })),
      {
        mark: 'clock',
        heading: say('entry.advice'),
        gist: say('entry.advice.less'),
        texts: [
          ...advice.map(({ text, note }) => [text, note].filter(Boolean).join(': ')),
          ...enquiryTexts(view, language),
          ...(isSoft(view) ? [softText(language)] : []),
        ],
      },
    ],
    model: { returnUrl: view.returnUrl },
  };
}

function declinedFee(view: OfferedLoanView, language: Language): Moment[] {
  const { feeBack, fee: amount } = view;
  if (!feeBack && view.isFeeKept) return [{ text: declinedText(view, language), isNow: true }];
  // The refund is ordered moments after the decision.
  return refundMoments(feeBack ?? { amount, currency: 'INR', standing: 'ON_ITS_WAY' }, language);
}

function isSoft({ creditReport }: OfferedLoanView): boolean {
  return creditReport?.afterChoice === 'SOFT' && creditReport.forOffer !== 'HARD';
}

function expired(view: OfferedLoanView, language: Language): Status {
  const { isEndedEarly, isUnpaid, othersBack, orderReference } = view;
  const isUnseen = !isUnpaid && othersBack.length === 0;
  return {
    heading: translate(language, isEndedEarly ? 'entry.rejected.unknown' : 'instant.expired'),
    lead: [
      ...tooLate(view, language),
      ...(isUnpaid && othersBack.length === 0 ? [translate(language, 'instant.unpaid')] : []),
      translate(language, 'entry.stop.again'),
    ].join(' '),
    moments: [],
    folds: [loanFold(view, language, isUnseen ? orderReference : null)],
    model: { isUnseen, returnUrl: view.returnUrl },
  };
}

function tooLate(view: OfferedLoanView, language: Language): string[] {
  const { isEndedEarly, isTooLateToBegin, expiresAt } = view;
  if (isEndedEarly || !isTooLateToBegin) return [];
  const when = formatDateTime(language, expiresAt);
  return [translate(language, 'instant.expired.short', { when })];
}

const RELOAD_SECONDS = 4;
const STATUS = 'instant/status';

type Stage = Exclude<OfferedLoanView['stage'], 'TO_CHOOSE'>;

const REFRESHED: ReadonlySet<Stage> = new Set(['TO_PAY', 'LAST_CHECK', 'UNDER_DECISION']);

const STATUSES: Readonly<Record<Stage, (view: OfferedLoanView, language: Language) => Status>> = {
  TO_PAY: checking,
  LAST_CHECK: checking,
  TO_PAY_AGAIN: failed,
  UNDER_DECISION: waiting,
  SANCTIONED: approved,
  REJECTED: declined,
  EXPIRED: expired,
};

export function statusPage(view: OfferedLoanView, stage: Stage, language: Language): Page {
  const { template = STATUS, model, heading, ...said } = STATUSES[stage](view, language);
  return new Page(template, {
    stage,
    title: heading,
    heading,
    lenderName: view.lenderName,
    officer: view.grievanceOfficer,
    further: furtherComplaint(view),
    refunds: refundCards(view.othersBack, language),
    ...(isRefreshed(view, stage) && { refreshSeconds: RELOAD_SECONDS }),
    ...said,
    ...model,
  });
}

/** Until it ends, an expired application may continue with another offer. */
function isRefreshed({ finishedAt }: OfferedLoanView, stage: Stage): boolean {
  return REFRESHED.has(stage) || (stage === 'EXPIRED' && finishedAt === null);
}

function checking(view: OfferedLoanView, language: Language): Status {
  const isOpen = view.stage === 'TO_PAY';
  const say = (key: string, values = {}) => translate(language, key, values);
  const next = isOpen
    ? say('instant.decides', { lender: runningName(view) })
    : say('instant.checking.over');
  const pay = say('instant.pay.title', { amount: formatRupees(view.fee) });
  return {
    heading: say('instant.checking'),
    lead: say('instant.checking.lead'),
    moments: [
      { text: say('instant.checking.now'), noteKey: 'instant.checking.paid', isNow: true },
      { text: next },
    ],
    folds: [noFold(view, 'UNPAID', language), loanFold(view, language)],
    model: {
      isFraudWarned: true,
      ...(isOpen && {
        payHref: view.payPath,
        payText: say('instant.checking.pay', { pay }),
        others: othersToChoose(view, language),
      }),
    },
  };
}

function failed(view: OfferedLoanView, language: Language): Status {
  const amount = formatRupees(view.fee);
  return {
    template: 'instant/failed',
    heading: translate(language, 'instant.failed'),
    lead: translate(language, 'instant.failed.lead', { amount }),
    moments: [],
    folds: [leftFold(view, language), noFold(view, 'UNPAID', language), loanFold(view, language)],
    model: {
      amount,
      others: othersToChoose(view, language),
      ...paymentPart(view, language),
    },
  };
}

function othersToChoose(view: OfferedLoanView, language: Language) {
  return view.others.some(({ canChoose }) => canChoose) ? othersLink(view, language) : null;
}

function waiting(view: OfferedLoanView, language: Language): Status {
  const { lenderName, decisionDueAt } = view;
  const say = (key: string, values = {}) => translate(language, key, values);
  const due =
    decisionDueAt === null
      ? say('instant.waiting.late')
      : say('instant.waiting.due', { when: formatDateTime(language, decisionDueAt) });
  return {
    heading: say('instant.waiting.heading', { lender: runningName(view) }),
    lead: say('instant.waiting.lead'),
    moments: [
      paidMoment(view, language),
      {
        text: say('instant.waiting.heading', { lender: lenderName }),
        note: due,
        isNow: true,
      },
      {
        text: say('instant.waiting.next', {
          loan: formatRupees(view.loanAmount),
          declined: declinedText(view, language),
        }),
      },
    ],
    folds: [noFold(view, 'DECIDING', language), loanFold(view, language)],
    model: { isFraudWarned: true },
  };
}

function approved(view: OfferedLoanView, language: Language): Status {
  const { lenderName: lender, loanAmount, instalment, contact, finishedAt } = view;
  const say = (key: string, values = {}) => translate(language, key, values);
  const loan = formatRupees(loanAmount);
  return {
    heading: say('instant.approved.heading', { amount: loan }),
    lead: say('instant.approved.by', {
      lender,
      when: finishedAt === null ? '' : formatDateTime(language, finishedAt),
    }),
    moments: [
      paidMoment(view, language),
      {
        text: say('steps.money.sends', { lender: runningName(view), net: loan }),
        note: say('instant.approved.pays.note', { phone: contact.phone }),
        isNow: true,
      },
      {
        text: say('steps.money.first', { emi: formatRupees(instalment) }),
        note: say('instant.approved.first.note'),
      },
    ],
    folds: [noFold(view, 'APPROVED', language), loanFold(view, language)],
    model: { isApproved: true, isFraudWarned: true, returnUrl: view.returnUrl },
  };
}
