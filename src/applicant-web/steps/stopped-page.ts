import type { PossibleMandate } from '../../journeys/index.js';
import type { Page } from '../../platform/index.js';
import { stepPage } from './step-pages.js';

/** What is left when no loan comes of an application. */
export interface LeftBehind {
  /** What the valuation of the gold costs; null where none can have been valued. */
  readonly walkOut: string | null;
  readonly mandates: readonly PossibleMandate[];
}

/**
 * That the applicant has stopped.
 * @param returnUrl the partner's page; null when it has given none
 */
export function stoppedPage(returnUrl: string | null, left: LeftBehind): Page {
  return stepPage('hosted/steps/abandoned', {
    titleKey: 'steps.stopped.title',
    leadKey: 'steps.stopped.lead',
    returnUrl,
    ...left,
  });
}
