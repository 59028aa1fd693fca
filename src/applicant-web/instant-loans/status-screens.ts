import type { OfferedLoanView } from '../../instant-loans/index.js';
import {
  formatMoney,
  formatRupees,
  joined,
  Page,
  say,
  sayDateTime,
  type ScreenModel,
  type Shown,
} from '../../platform/index.js';
import { adviceRows } from '../entry/rejection-texts.js';
import { furtherComplaint } from '../steps/further-complaint.js';
import {
  declinedText,
  enquiryTexts,
  type InstantFold,
  leftFold,
  loanFold,
  noFold,
  runningName,
} from './loan-folds.js';
import { othersLink, paymentPart } from './pay-screen.js';
import { type Moment, refundCards, refundMoments, refundNumbers } from './refund-cards.js';

interface Status {
  readonly template?: string;
  readonly heading: Shown;
  readonly lead: Shown;
  readonly moments: readonly Moment[];
  readonly folds: readonly InstantFold[];
  readonly model: ScreenModel;
}

function paidMoment({ fee, paidAt }: OfferedLoanView): Moment {
  return {
    text: say('instant.waiting.paid', { amount: formatRupees(fee) }),
    ...(paidAt && { note: sayDateTime(paidAt) }),
    isDone: true,
  };
}

const ADVICE = ['entry.advice.report', 'entry.advice.documents'];

function declined(view: OfferedLoanView): Status {
  const { lenderName: lender, feeBack, paymentReference, isFeeKept } = view;
  const numbers = refundNumbers(feeBack ?? { paymentReference });
  const back = feeBack ? formatMoney(feeBack.amount, feeBack.currency) : formatRupees(view.fee);
  const advice = adviceRows({ adviceKeys: ADVICE }, lender);
  return {
    heading:
      feeBack?.standing === 'STUCK' || (!feeBack && isFeeKept)
        ? say('instant.no.declined')
        : say('instant.declined.back', { amount: back }),
    lead: joined([say('instant.declined.lead', { lender }), say('entry.owed.nothing')]),
    moments: [paidMoment(view), ...declinedFee(view)],
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
          ...advice.map(({ text, note }) => joined([text, note], ': ')),
          ...enquiryTexts(view),
          ...(isSoft(view) ? [say('instant.pay.soft')] : []),
        ],
      },
    ],
    model: { returnUrl: view.returnUrl },
  };
}

function declinedFee(view: OfferedLoanView): Moment[] {
  const { feeBack, fee: amount } = view;
  if (!feeBack && view.isFeeKept) return [{ text: declinedText(view), isNow: true }];
  // The refund is ordered moments after the decision.
  return refundMoments(feeBack ?? { amount, currency: 'INR', standing: 'ON_ITS_WAY' });
}

function isSoft({ creditReport }: OfferedLoanView): boolean {
  return creditReport?.afterChoice === 'SOFT' && creditReport.forOffer !== 'HARD';
}

function expired(view: OfferedLoanView): Status {
  const { isEndedEarly, isUnpaid, othersBack, orderReference } = view;
  const isUnseen = !isUnpaid && othersBack.length === 0;
  return {
    heading: say(isEndedEarly ? 'entry.rejected.unknown' : 'instant.expired'),
    lead: joined([
      tooLate(view),
      isUnpaid && othersBack.length === 0 ? say('instant.unpaid') : null,
      say('entry.stop.again'),
    ]),
    moments: [],
    folds: [loanFold(view, isUnseen ? orderReference : null)],
    model: { isUnseen, returnUrl: view.returnUrl },
  };
}

function tooLate({ isEndedEarly, isTooLateToBegin, expiresAt }: OfferedLoanView): Shown | null {
  if (isEndedEarly || !isTooLateToBegin) return null;
  return say('instant.expired.short', { when: sayDateTime(expiresAt) });
}

const RELOAD_SECONDS = 4;
const STATUS = 'instant/status';

type Stage = Exclude<OfferedLoanView['stage'], 'TO_CHOOSE'>;

const REFRESHED: ReadonlySet<Stage> = new Set(['TO_PAY', 'LAST_CHECK', 'UNDER_DECISION']);

const STATUSES: Readonly<Record<Stage, (view: OfferedLoanView) => Status>> = {
  TO_PAY: checking,
  LAST_CHECK: checking,
  TO_PAY_AGAIN: failed,
  UNDER_DECISION: waiting,
  SANCTIONED: approved,
  REJECTED: declined,
  EXPIRED: expired,
};

export function statusPage(view: OfferedLoanView, stage: Stage): Page {
  const { template = STATUS, model, heading, ...said } = STATUSES[stage](view);
  return new Page(template, {
    stage,
    title: heading,
    heading,
    lenderName: view.lenderName,
    officer: view.grievanceOfficer,
    further: furtherComplaint(view),
    refunds: refundCards(view.othersBack),
    ...(isRefreshed(view, stage) && { refreshSeconds: RELOAD_SECONDS }),
    ...said,
    ...model,
  });
}

/** Until it ends, an expired application may continue with another offer. */
function isRefreshed({ finishedAt }: OfferedLoanView, stage: Stage): boolean {
  return REFRESHED.has(stage) || (stage === 'EXPIRED' && finishedAt === null);
}

function checking(view: OfferedLoanView): Status {
  const isOpen = view.stage === 'TO_PAY';
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
    folds: [noFold(view, 'UNPAID'), loanFold(view)],
    model: {
      isFraudWarned: true,
      ...(isOpen && {
        payHref: view.payPath,
        payText: say('instant.checking.pay', { pay }),
        others: othersToChoose(view),
      }),
    },
  };
}

function failed(view: OfferedLoanView): Status {
  const amount = formatRupees(view.fee);
  return {
    template: 'instant/failed',
    heading: say('instant.failed'),
    lead: say('instant.failed.lead', { amount }),
    moments: [],
    folds: [leftFold(view), noFold(view, 'UNPAID'), loanFold(view)],
    model: {
      amount,
      others: othersToChoose(view),
      ...paymentPart(view),
    },
  };
}

function othersToChoose(view: OfferedLoanView) {
  return view.others.some(({ canChoose }) => canChoose) ? othersLink(view) : null;
}

function waiting(view: OfferedLoanView): Status {
  const { lenderName, decisionDueAt } = view;
  const due =
    decisionDueAt === null
      ? say('instant.waiting.late')
      : say('instant.waiting.due', { when: sayDateTime(decisionDueAt) });
  return {
    heading: say('instant.waiting.heading', { lender: runningName(view) }),
    lead: say('instant.waiting.lead'),
    moments: [
      paidMoment(view),
      {
        text: say('instant.waiting.heading', { lender: lenderName }),
        note: due,
        isNow: true,
      },
      {
        text: say('instant.waiting.next', {
          loan: formatRupees(view.loanAmount),
          declined: declinedText(view),
        }),
      },
    ],
    folds: [noFold(view, 'DECIDING'), loanFold(view)],
    model: { isFraudWarned: true },
  };
}

function approved(view: OfferedLoanView): Status {
  const { lenderName: lender, loanAmount, instalment, contact, finishedAt } = view;
  const loan = formatRupees(loanAmount);
  return {
    heading: say('instant.approved.heading', { amount: loan }),
    lead: say('instant.approved.by', {
      lender,
      when: finishedAt === null ? '' : sayDateTime(finishedAt),
    }),
    moments: [
      paidMoment(view),
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
    folds: [noFold(view, 'APPROVED'), loanFold(view)],
    model: { isApproved: true, isFraudWarned: true, returnUrl: view.returnUrl },
  };
}
