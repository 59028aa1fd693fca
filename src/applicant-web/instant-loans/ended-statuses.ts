import type { OfferedLoanView } from '../../instant-loans/index.js';
import {
  formatDateTime,
  formatMoney,
  formatRupees,
  type Language,
  translate,
} from '../../platform/index.js';
import { enquiryTexts, loanFold } from './loan-folds.js';
import { type Moment, refundMoments, refundNumbers } from './refund-cards.js';
import { paidMoment, type Status } from './status.js';

/** The lender said no: what becomes of the fee. */
export function declined(view: OfferedLoanView, language: Language): Status {
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

/** The time is over, or the loan can no longer be had. */
export function expired(view: OfferedLoanView, language: Language): Status {
  const { isEndedEarly, isUnpaid, othersBack, orderReference } = view;
  const isUnseen = !isUnpaid && othersBack.length === 0;
  return {
    lead: [
      whyExpired(view, language),
      ...(isUnpaid ? [translate(language, 'instant.unpaid')] : []),
      translate(language, 'entry.stop.again'),
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
