import type { OfferlessView } from '../../instant-loans/index.js';
import { type Language, Page, translate } from '../../platform/index.js';
import { adviceRows, rejectionTexts } from '../entry/rejection-texts.js';
import { shownLender } from './lenders-without.js';
import { refundCards } from './refund-cards.js';

const RELOAD_SECONDS = 4;

export function offersPage(view: OfferlessView, language: Language): Page {
  const lenders = view.lenders.map((lender) => shownLender(lender, language));
  return new Page('entry/waiting', {
    titleKey: 'entry.waiting.title',
    refreshSeconds: RELOAD_SECONDS,
    leaveKey: 'instant.waiting.leave',
    answered: lenders.filter(({ isAwaited }) => !isAwaited).length,
    asked: lenders.length,
    lenders,
    offersNow: view.offersNow,
    nowPath: `${view.payPath}/offers`,
  });
}

/** Ended without a choice, perhaps after earlier ones. */
function endedPage(view: OfferlessView, language: Language): Page {
  const { isTimeOver, isUnpaid, othersBack, returnUrl } = view;
  const isUnseen = !isUnpaid && othersBack.length === 0;
  const keys = [...(isUnpaid ? ['instant.unpaid'] : []), 'entry.stop.again'];
  return new Page('instant/ended', {
    titleKey: isTimeOver ? 'instant.expired' : 'entry.closed.title',
    lead: keys.map((key) => translate(language, key)).join(' '),
    isUnseen,
    refunds: refundCards(othersBack, language),
    returnUrl,
  });
}

export function noOfferPage(view: OfferlessView, language: Language): Page {
  const { returnUrl, isAnswered } = view;
  if (view.stage !== 'NO_OFFER') return endedPage(view, language);
  const texts = rejectionTexts(isAnswered ? 'NO_OFFERS' : 'LENDERS_UNAVAILABLE');
  return new Page('entry/rejected', {
    titleKey: texts.titleKey,
    reasonKey: texts.reasonKey,
    owed: translate(language, 'entry.owed.nothing'),
    advice: adviceRows(texts, '', language),
    lenders: view.lenders.map((lender) => {
      const { name, standing } = shownLender(lender, language);
      return `${name} · ${standing}`;
    }),
    returnUrl,
  });
}
