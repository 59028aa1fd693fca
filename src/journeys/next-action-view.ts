import { ShownChoice, ShownObject, ShownText, ShownUrl } from '../platform/index.js';
import type { NextAction } from './states/next-action.js';

const CATEGORIES = ['POLL', 'REDIRECT', 'ACTION', 'WAIT', 'DONE'] as const;

/** What the caller should do now, as the API document shows it. */
export class NextActionView implements NextAction {
  @ShownText('The step.', 'POLL_LENDER_OFFERS')
  readonly type: string;

  @ShownChoice(
    'POLL: read the journey again after pollIntervalSeconds. REDIRECT: send the applicant to url. ' +
      'ACTION: submit the action that type names. WAIT: the applicant is on our screens. DONE: over.',
    CATEGORIES,
  )
  readonly category: NextAction['category'];

  @ShownUrl('REDIRECT: where to send the applicant.', 'https://rinpath.example/r/token', {
    optional: true,
  })
  readonly url?: string;
}

/** The answer to an action and to a return. */
export class NextActionAnswer {
  @ShownObject(() => NextActionView, 'What to do now.')
  readonly nextAction: NextActionView;
}
