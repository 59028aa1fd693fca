import type { HostedJourneyView } from '../../journeys/index.js';
import { Fault, Page, type ScreenModel } from '../../platform/index.js';
import { leavingChoices } from '../leaving-choices.js';
import { type QuestionPage, questionOf } from '../question-count.js';

/** A step's page that asks for something, with its stamp, its place among the questions, and how to leave. */
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

/** A step's page that tells something, or waits. */
export function stepPage(name: string, model: ScreenModel, status?: number): Page {
  return new Page(name, model, status);
}

/** A lender that cannot be reached: nothing has changed, and the page can be asked for again. */
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

/** Whether something failed in the way of the closed catalogue that is named. */
export function isFault(error: unknown, code: Fault['code']): error is Fault {
  return error instanceof Fault && error.code === code;
}
