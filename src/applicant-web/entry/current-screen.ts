import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  STEP_STATES,
  stepDefinition,
  type StepQuestionPage,
  type StepStateName,
} from '../../journey-steps/index.js';
import type { HostedJourneyView, JourneyState } from '../../journeys/index.js';
import { enteredIn, Fault, FaultFilter, SeeOther } from '../../platform/index.js';

/** Redirects the browser to another page of the service. */
export class ScreenRedirect extends Error {
  constructor(readonly path: string) {
    super(`to ${path}`);
    this.name = 'ScreenRedirect';
  }
}

export const CURRENT_SCREEN = '/hosted';

/** After an accepted form. */
export const TO_CURRENT_SCREEN = new SeeOther(CURRENT_SCREEN);

export const COMPARISON = '/hosted/offers';

/** Where to redirect when the page or form is outdated: another tab, device or the lender changed the journey. */
const PAGES_AFTER: Partial<Record<Fault['code'], string>> = {
  wrong_step: CURRENT_SCREEN,
  action_in_flight: `${CURRENT_SCREEN}/moment`,
  offer_expired: `${COMPARISON}?notice=expired`,
};

/** `FaultFilter` handles other errors. */
@Catch()
export class ScreenRedirectFilter implements ExceptionFilter {
  constructor(private readonly faults: FaultFilter) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const path = pathAfter(error);
    if (path === undefined) this.faults.catch(error, host);
    else http.getResponse<Response>().redirect(303, path);
  }
}

function pathAfter(error: unknown): string | undefined {
  if (error instanceof ScreenRedirect) return error.path;
  return error instanceof Fault ? PAGES_AFTER[error.code] : undefined;
}

type Position = Pick<
  HostedJourneyView,
  'state' | 'isConfirmed' | 'consent' | 'missingDetails' | 'loanAmountSource'
>;

export const CHECK = '/hosted/check';

const AMOUNT = '/hosted/amount';

export const DETAILS = '/hosted/details';

export const ALL_DETAILS = `${DETAILS}?all`;

const LAST_PAGES: Readonly<Record<Exclude<JourneyState, StepStateName>, string>> = {
  SANCTIONED: 'done',
  REJECTED: 'rejected',
  ABANDONED: 'abandoned',
};

const PAGES: ReadonlyMap<string, string | null> = new Map([
  ...STEP_STATES.map(({ name, page }) => [name, page] as const),
  ...Object.entries(LAST_PAGES),
]);

export function screenOf(view: Position): string {
  const page = PAGES.get(view.state);
  return page ? `/hosted/${page}` : beforeOffers(view);
}

export function stopHref({ mayStop }: Pick<HostedJourneyView, 'mayStop'>): string | undefined {
  return mayStop ? '/hosted/stop' : undefined;
}

/** @throws ScreenRedirect to the journey's page when it is another */
export function requireScreen(view: Position, path: string): void {
  const screen = screenOf(view);
  if (screen !== path) throw new ScreenRedirect(screen);
}

/** @throws ScreenRedirect when the journey has changed since the form was shown */
export function requireStamp({ view, request }: StampedVisit): void {
  if (view.stamp !== enteredIn(request).shown) throw new ScreenRedirect(CURRENT_SCREEN);
}

interface StampedVisit {
  readonly view: { readonly stamp: string };
  readonly request: Request;
}

function beforeOffers(position: Position): string {
  const { isConfirmed, consent, missingDetails, loanAmountSource } = position;
  if (isConfirmed) return '/hosted/waiting';
  if (loanAmountSource === 'DEFAULT') return AMOUNT;
  if (!consent) return '/hosted/consent';
  return missingDetails.length === 0 ? CHECK : DETAILS;
}

/** Pages that wait or inform are not counted. */
export type QuestionPage = 'consent' | 'details' | 'check' | StepQuestionPage;

/** "Step 3 of 8" over this journey's pages; null for an uncounted page. */
export function questionOf(
  { askedDetails, steps }: Pick<HostedJourneyView, 'askedDetails' | 'steps'>,
  page: QuestionPage,
): { step: number; of: number } | null {
  const pages: readonly QuestionPage[] = [
    'consent',
    ...(askedDetails.length > 0 ? (['details'] as const) : []),
    'check',
    ...steps.flatMap<QuestionPage>((step) => stepDefinition(step).questionPages),
  ];
  const index = pages.indexOf(page);
  return index < 0 ? null : { step: index + 1, of: pages.length };
}
