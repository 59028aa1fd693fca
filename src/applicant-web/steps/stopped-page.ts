import type { Page } from '../../platform/index.js';
import type { LeftBehind } from './left-behind.js';
import { stepPage } from './step-pages.js';

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
