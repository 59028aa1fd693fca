import type { OfferlessView } from '../../instant-loans/index.js';
import { type Language, Page, translate } from '../../platform/index.js';
import { adviceRows, rejectionTexts } from '../entry/rejection-texts.js';
import { shownLender } from './lenders-without.js';

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

export function noOfferPage(view: OfferlessView, language: Language): Page {
  const { returnUrl, isAnswered } = view;
  if (view.stage !== 'NO_OFFER') {
    const lead = ['instant.unpaid', 'entry.stop.again']
      .map((key) => translate(language, key))
      .join(' ');
    return new Page('instant/ended', { titleKey: 'entry.closed.title', lead, returnUrl });
  }
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
