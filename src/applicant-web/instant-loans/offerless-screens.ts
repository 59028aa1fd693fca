import type { OfferlessView } from '../../instant-loans/index.js';
import { type Language, Page, translate } from '../../platform/index.js';
import { shownLender } from './lenders-without.js';

const RELOAD_SECONDS = 4;

/** Who is asked, and how many have answered; the page goes on to the offers. */
export function offersPage(view: OfferlessView, language: Language): Page {
  const lenders = view.lenders.map((lender) => shownLender(lender, language));
  return new Page('instant/offers', {
    titleKey: 'instant.offers.title',
    refreshSeconds: RELOAD_SECONDS,
    answered: lenders.filter(({ isAwaited }) => !isAwaited).length,
    asked: lenders.length,
    lenders,
    offersNow: view.offersNow,
    payPath: view.payPath,
  });
}

/** That no lender makes an offer, or that the application ended before one was chosen. */
export function noOfferPage(view: OfferlessView, language: Language): Page {
  const { returnUrl, isAnswered } = view;
  if (view.stage !== 'NO_OFFER') {
    const lead = ['instant.ended.unpaid', 'instant.ended.again']
      .map((key) => translate(language, key))
      .join(' ');
    return new Page('instant/ended', { titleKey: 'instant.ended', lead, returnUrl });
  }
  return new Page('instant/no-offer', {
    titleKey: 'instant.none',
    leadKey: isAnswered ? 'instant.none.lead' : 'instant.none.silent',
    checks: [
      {
        mark: 'score',
        text: translate(language, 'instant.none.report'),
        note: translate(language, 'instant.none.report.note'),
      },
      { mark: 'clock', text: translate(language, 'instant.none.again') },
      { mark: 'id', text: translate(language, 'instant.none.papers') },
    ],
    count: view.lenders.length,
    lenders: view.lenders.map((lender) => {
      const { name, standing } = shownLender(lender, language);
      return { label: name, value: standing };
    }),
    returnUrl,
  });
}
