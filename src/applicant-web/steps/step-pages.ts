import type { HostedJourneyView } from '../../journeys/index.js';
import { Fault, Page, type ScreenModel } from '../../platform/index.js';
import { leavingChoices } from '../leaving-choices.js';
import { type QuestionPage, questionOf } from '../question-count.js';

const SHEET = 'steps.css';
const STOP = '/hosted/stop';

interface More {
  readonly status?: number;
  /** The offers that the page speaks of, where that is not the one that is chosen. */
  readonly concerned?: HostedJourneyView['offers'];
}

/** A step's page that asks for something, with its stamp, its place among the questions, and how to leave. */
export function questionPage(
  view: HostedJourneyView,
  page: QuestionPage,
  name: string,
  model: ScreenModel,
  { status, concerned }: More = {},
): Page {
  const question = questionOf(view, page);
  const leaving = leavingChoices(view, concerned);
  const shown = view.stamp;
  const stopHref = view.mayStop ? STOP : undefined;
  return new Page(
    name,
    { ...model, ...sheetsOf(name), shown, question, leaving, stopHref },
    status,
  );
}

/** A step's page that tells something, or waits. */
export function stepPage(name: string, model: ScreenModel, status?: number): Page {
  return new Page(name, { ...model, ...sheetsOf(name) }, status);
}

/** Only pages that the design has not reached need a sheet of their own. */
function sheetsOf(name: string): Pick<ScreenModel, 'sheets'> {
  return name.startsWith('hosted/') ? { sheets: [SHEET] } : {};
}

/** A lender that cannot be reached: nothing has changed, and the page can be asked for again. */
export function lenderAwayPage(lenderName: string, retryHref: string): Page {
  const model = {
    titleKey: 'steps.away.title',
    titleValues: { lender: lenderName },
    languageReturn: retryHref,
    lenderName,
    retryHref,
  };
  return stepPage('hosted/steps/lender-away', model, new Fault('lender_unavailable').status);
}

/** Whether something failed in the way of the closed catalogue that is named. */
export function isFault(error: unknown, code: Fault['code']): error is Fault {
  return error instanceof Fault && error.code === code;
}
