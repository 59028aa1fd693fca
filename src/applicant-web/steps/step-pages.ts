import type { HostedJourneyView } from '../../journeys/index.js';
import { Fault, Page, type ScreenModel } from '../../platform/index.js';
import { leavingChoices } from '../leaving-choices.js';
import { type QuestionPage, questionOf } from '../question-count.js';

/** A page that asks something: with its stamp, its position among the questions, and how to leave. */
export function questionPage(
  view: HostedJourneyView,
  page: QuestionPage,
  name: string,
  model: ScreenModel,
  status?: number,
): Page {
  const question = questionOf(view, page);
  const leaving = leavingChoices(view);
  const shown = view.stamp;
  const stopHref = view.mayStop ? '/hosted/stop' : undefined;
  return new Page(name, { ...model, shown, question, leaving, stopHref }, status);
}

export function stepPage(name: string, model: ScreenModel, status?: number): Page {
  return new Page(name, model, status);
}

/** Nothing has changed; the page can be requested again. */
export function lenderAwayPage(lenderName: string, retryHref: string): Page {
  const model = {
    titleKey: 'offers.away',
    titleValues: { lender: lenderName },
    languageReturn: retryHref,
    lenderName,
    retryHref,
  };
  return stepPage('offers/lender-away', model, new Fault('lender_unavailable').status);
}

export function isFault(error: unknown, code: Fault['code']): error is Fault {
  return error instanceof Fault && error.code === code;
}
