import type { OfferedLoanView } from '../../instant-loans/index.js';
import {
  formatDateTime,
  formatRupees,
  type Language,
  Page,
  translate,
} from '../../platform/index.js';
import { furtherComplaint } from '../steps/further-complaint.js';
import { daysText, runningName } from './instant-rows.js';
import { declined, expired } from './ended-statuses.js';
import { daily, enquiryTexts, leftFold, loanFold, noFold } from './loan-folds.js';
import { othersLink, paymentPart } from './pay-screen.js';
import { refundCards } from './refund-cards.js';
import { paidMoment, type Status } from './status.js';

const RELOAD_SECONDS = 4;
const STATUS = 'instant/status';

type Stage = Exclude<OfferedLoanView['stage'], 'TO_CHOOSE'>;

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
    lead: translate(language, 'instant.waiting.leave'),
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
