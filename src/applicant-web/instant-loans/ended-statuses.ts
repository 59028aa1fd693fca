import type { OfferedLoanView } from '../../instant-loans/index.js';
import {
  formatDateTime,
  formatMoney,
  formatRupees,
  type Language,
  type ScreenModel,
  translate,
} from '../../platform/index.js';
import { adviceRows } from '../entry/rejection-texts.js';
import { softText } from './instant-rows.js';
import { declinedText, enquiryTexts, type InstantFold, loanFold } from './loan-folds.js';
import { type Moment, refundMoments, refundNumbers } from './refund-cards.js';

export interface Status {
  readonly template?: string;
  readonly heading: string;
  readonly lead: string;
  readonly moments: readonly Moment[];
  readonly folds: readonly InstantFold[];
  readonly model: ScreenModel;
}

export function paidMoment({ fee, paidAt }: OfferedLoanView, language: Language): Moment {
  return {
    text: translate(language, 'instant.waiting.paid', { amount: formatRupees(fee) }),
    ...(paidAt && { note: formatDateTime(language, paidAt) }),
    isDone: true,
  };
}

const ADVICE = ['entry.advice.report', 'entry.advice.documents'];

export function declined(view: OfferedLoanView, language: Language): Status {
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
  // The refund is ordered a moment after the decision.
  return refundMoments(feeBack ?? { amount, currency: 'INR', standing: 'ON_ITS_WAY' }, language);
}

function isSoft({ creditReport }: OfferedLoanView): boolean {
  return creditReport?.afterChoice === 'SOFT' && creditReport.forOffer !== 'HARD';
}

export function expired(view: OfferedLoanView, language: Language): Status {
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
