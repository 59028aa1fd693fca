import type { OfferedLoanView } from '../../instant-loans/index.js';
import {
  formatDateTime,
  formatRupees,
  type Language,
  Page,
  translate,
} from '../../platform/index.js';
import { furtherComplaint } from '../steps/further-complaint.js';
import { declined, expired, paidMoment, type Status } from './ended-statuses.js';
import { runningName } from './instant-rows.js';
import { declinedText, leftFold, loanFold, noFold } from './loan-folds.js';
import { othersLink, paymentPart } from './pay-screen.js';
import { refundCards } from './refund-cards.js';

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

/** Until it ends, an expired application may go on with another offer. */
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
