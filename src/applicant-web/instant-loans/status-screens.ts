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
import { furtherComplaint } from '../steps/further-complaint.js';
import { daysText, runningName } from './instant-rows.js';
import { daily, enquiryTexts, type InstantFold, leftFold, loanFold, noFold } from './loan-folds.js';
import { othersLink, paymentPart } from './pay-screen.js';
import { type Moment, refundCards, refundMoments, refundNumbers } from './refund-cards.js';

const RELOAD_SECONDS = 4;
const STATUS = 'instant/status';

type Stage = Exclude<OfferedLoanView['stage'], 'TO_CHOOSE'>;

/** What is said at a stage, beside what every stage has. */
interface Status {
  readonly template?: string;
  /** The heading, where the tab shows something else. */
  readonly heading?: string;
  readonly lead: string;
  readonly moments: readonly Moment[];
  readonly folds: readonly InstantFold[];
  readonly model: ScreenModel;
}

/** Where something is still to come, the page is refreshed. */
const REFRESHED: ReadonlySet<Stage> = new Set([
  'TO_PAY',
  'LAST_CHECK',
  'CLOSING',
  'UNDER_DECISION',
]);

const STATUSES: Readonly<Record<Stage, (view: OfferedLoanView, language: Language) => Status>> = {
  TO_PAY: checking,
  LAST_CHECK: checking,
  CLOSING: closing,
  TO_PAY_AGAIN: failed,
  UNDER_DECISION: waiting,
  SANCTIONED: approved,
  REJECTED: declined,
  EXPIRED: expired,
};

/** How the application stands after the payment, or after the try. */
export function statusPage(view: OfferedLoanView, stage: Stage, language: Language): Page {
  const { template = STATUS, model, ...said } = STATUSES[stage](view, language);
  return new Page(template, {
    stage,
    lenderName: view.lenderName,
    officer: view.grievanceOfficer,
    further: furtherComplaint(view),
    refunds: refundCards(view.othersBack, language),
    ...(isRefreshed(view, stage) && { refreshSeconds: RELOAD_SECONDS }),
    ...said,
    ...model,
  });
}

/** An application whose time is over may still go on with another offer, as long as it has not ended. */
function isRefreshed({ finishedAt }: OfferedLoanView, stage: Stage): boolean {
  return REFRESHED.has(stage) || (stage === 'EXPIRED' && finishedAt === null);
}

function checking(view: OfferedLoanView, language: Language): Status {
  const isOpen = view.stage === 'TO_PAY';
  const lender = runningName(view);
  const next = isOpen
    ? translate(language, 'instant.checking.next', { lender })
    : translate(language, 'instant.checking.over');
  return {
    lead: translate(language, 'instant.checking.lead'),
    moments: [
      {
        text: translate(language, 'instant.checking.now'),
        noteKey: 'instant.checking.paid',
        isNow: true,
      },
      { text: next },
    ],
    folds: [noFold(view, 'CHECKING', language), loanFold(view, 'instant.loan', language)],
    model: {
      titleKey: 'instant.checking',
      isFraudWarned: true,
      ...(isOpen && { payHref: view.payPath, others: unpaidLink(view, language) }),
    },
  };
}

function closing(view: OfferedLoanView, language: Language): Status {
  const amount = formatRupees(view.fee);
  return {
    lead: translate(language, 'instant.closing.lead'),
    moments: [
      { text: translate(language, 'instant.closing.now'), isNow: true },
      { text: translate(language, 'instant.closing.paid', { amount, lender: view.lenderName }) },
    ],
    folds: [noFold(view, 'CHECKING', language)],
    model: { titleKey: 'instant.closing' },
  };
}

function failed(view: OfferedLoanView, language: Language): Status {
  const amount = formatRupees(view.fee);
  return {
    template: 'instant/failed',
    lead: translate(language, 'instant.failed.lead', { amount }),
    moments: [],
    folds: [
      leftFold(view, language),
      noFold(view, 'CHECKING', language),
      loanFold(view, 'instant.loan', language),
    ],
    model: {
      titleKey: 'instant.failed',
      amount,
      others: unpaidLink(view, language),
      ...paymentPart(view, language),
    },
  };
}

/** To the offers that can be chosen by applicants who have not paid; null where there is none. */
function unpaidLink(view: OfferedLoanView, language: Language) {
  if (!view.others.some(({ canChoose }) => canChoose)) return null;
  const link = othersLink(view, language);
  if (link === null) return null;
  const { href, text: others } = link;
  return { href, text: translate(language, 'instant.checking.others', { others }) };
}

function waiting(view: OfferedLoanView, language: Language): Status {
  const { lenderName, decisionDueAt, isFeeKept, coolingOffDays, contact } = view;
  const lender = runningName(view);
  const amount = formatRupees(view.fee);
  const nextKey = isFeeKept ? 'instant.waiting.next.kept' : 'instant.waiting.next';
  const due =
    decisionDueAt === null
      ? translate(language, 'instant.waiting.late')
      : translate(language, 'instant.waiting.due', {
          when: formatDateTime(language, decisionDueAt),
        });
  return {
    heading: translate(language, 'instant.waiting.heading', { lender }),
    lead: translate(language, 'instant.waiting.lead'),
    moments: [
      paidMoment(view, language),
      {
        text: translate(language, 'instant.waiting.decides', { lender: lenderName }),
        note: due,
        isNow: true,
      },
      { text: translate(language, nextKey, { loan: formatRupees(view.loanAmount), amount }) },
    ],
    folds: [
      {
        mark: 'repeat',
        heading: translate(language, 'instant.waiting.cancel'),
        gist: translate(language, 'instant.waiting.cancel.gist'),
        texts: [
          translate(language, 'instant.waiting.cancel.text', {
            days: daysText(coolingOffDays, language),
            lender,
            ...contact,
          }),
          ...enquiryTexts(view, language),
        ],
      },
      loanFold(view, 'instant.loan', language),
    ],
    model: { titleKey: 'instant.waiting', isFraudWarned: true },
  };
}

function approved(view: OfferedLoanView, language: Language): Status {
  const { lenderName, loanAmount, fee, instalment, coolingOffDays, contact, finishedAt } = view;
  const say = (key: string, values = {}) => translate(language, key, values);
  const loan = formatRupees(loanAmount);
  const amount = formatRupees(fee);
  return {
    heading: say('instant.approved.heading', { amount: loan }),
    lead: say('instant.approved.by', {
      lender: lenderName,
      when: finishedAt === null ? '' : formatDateTime(language, finishedAt),
    }),
    moments: [
      { text: say('instant.approved.paid', { amount }), isDone: true },
      {
        text: say('instant.approved.pays', { amount: loan }),
        note: say('instant.approved.pays.note', { phone: contact.phone }),
        isNow: true,
      },
      {
        text: say('instant.approved.first', { emi: formatRupees(instalment) }),
        note: say('instant.approved.first.note'),
      },
    ],
    folds: [
      {
        mark: 'repeat',
        heading: say('instant.approved.no'),
        gist: say('instant.approved.no.gist', { days: daysText(coolingOffDays, language) }),
        texts: [
          say('instant.approved.no.text', {
            lender: runningName(view),
            amount,
            daily: daily(view, language),
            ...contact,
          }),
          ...enquiryTexts(view, language),
        ],
      },
      loanFold(view, 'instant.approved.agreed', language),
    ],
    model: {
      titleKey: 'instant.approved',
      isApproved: true,
      isFraudWarned: true,
      returnUrl: view.returnUrl,
    },
  };
}

function declined(view: OfferedLoanView, language: Language): Status {
  const { lenderName: lender, feeBack, paymentReference } = view;
  const say = (key: string, values = {}) => translate(language, key, values);
  const numbers = refundNumbers(feeBack ?? { paymentReference }, language);
  const texts = [
    say('instant.declined.next.text'),
    ...enquiryTexts(view, language),
    ...(isSoft(view) ? [say('instant.declined.soft')] : []),
  ];
  return {
    ...(feeBack && {
      heading: say('instant.declined.back', {
        amount: formatMoney(feeBack.amount, feeBack.currency),
      }),
    }),
    lead: say('instant.declined.lead', { lender }),
    moments: [paidMoment(view, language), ...declinedFee(view, language)],
    folds: [
      ...(numbers.length > 0
        ? [
            {
              mark: 'doc',
              heading: say('instant.numbers'),
              gist: say('instant.numbers.gist'),
              rows: numbers,
              texts: [],
              kfsHref: view.keyFactsPath,
            },
          ]
        : []),
      {
        mark: 'clock',
        heading: say('instant.declined.next'),
        gist: say('instant.declined.next.gist'),
        texts,
      },
    ],
    model: { titleKey: 'instant.declined', returnUrl: view.returnUrl },
  };
}

function declinedFee(view: OfferedLoanView, language: Language): Moment[] {
  const { feeBack, declinedFee: standing } = view;
  if (feeBack) return refundMoments(feeBack, language);
  const amount = formatRupees(view.fee);
  return [
    standing === 'KEPT'
      ? {
          text: translate(language, 'instant.declined.kept', { amount }),
          note: translate(language, 'instant.declined.kept.note'),
          isNow: true,
        }
      : {
          text: translate(language, 'instant.declined.open', { amount }),
          noteKey: 'instant.declined.open.note',
          isNow: true,
        },
  ];
}

function isSoft({ creditReport }: OfferedLoanView): boolean {
  return creditReport?.afterChoice === 'SOFT' && creditReport.forOffer !== 'HARD';
}

function paidMoment({ fee, paidAt }: OfferedLoanView, language: Language): Moment {
  return {
    text: translate(language, 'instant.waiting.paid', { amount: formatRupees(fee) }),
    ...(paidAt && { note: formatDateTime(language, paidAt) }),
    isDone: true,
  };
}

function expired(view: OfferedLoanView, language: Language): Status {
  const { isEndedEarly, isUnpaid, othersBack, orderReference } = view;
  const isUnseen = !isUnpaid && othersBack.length === 0;
  return {
    lead: [
      whyExpired(view, language),
      ...(isUnpaid ? [translate(language, 'instant.ended.unpaid')] : []),
      translate(language, 'instant.ended.again'),
    ].join(' '),
    moments: [],
    folds: [
      ...(isUnseen && orderReference
        ? [
            {
              mark: 'doc',
              heading: translate(language, 'instant.numbers'),
              gist: translate(language, 'instant.numbers.gist'),
              rows: refundNumbers({ paymentReference: orderReference }, language),
              texts: [],
            },
          ]
        : []),
      loanFold(view, 'instant.loan', language),
    ],
    model: {
      titleKey: isEndedEarly ? 'instant.ended' : 'instant.expired',
      isUnseen,
      returnUrl: view.returnUrl,
    },
  };
}

function whyExpired(view: OfferedLoanView, language: Language): string {
  const { isEndedEarly, isTooLateToBegin, expiresAt } = view;
  if (isEndedEarly) return translate(language, 'instant.ended.gone');
  if (!isTooLateToBegin) return translate(language, 'instant.expired.lead');
  const when = formatDateTime(language, expiresAt);
  return translate(language, 'instant.expired.short', { when });
}
