import { ShownChoice, ShownObject, ShownUrl } from '../../platform/index.js';
import {
  NEXT_ACTION_CATEGORIES,
  NEXT_ACTION_TYPES,
  type NextAction,
  nextActionLines,
} from '../domain/next-action.js';

export class NextActionView implements NextAction {
  @ShownChoice(`The next action:\n\n${nextActionLines()}`, NEXT_ACTION_TYPES)
  readonly type: string;

  @ShownChoice(
    'POLL: read the journey again after pollIntervalSeconds. REDIRECT: send the applicant to url. ' +
      'ACTION: submit the action that type names. WAIT: the applicant is on our screens. DONE: the journey is over.',
    NEXT_ACTION_CATEGORIES,
  )
  readonly category: NextAction['category'];

  @ShownUrl('REDIRECT: where to send the applicant.', 'https://rinpath.example/r/token', {
    optional: true,
  })
  readonly url?: string;
}

export class NextActionAnswer {
  @ShownObject(() => NextActionView, 'The next step.')
  readonly nextAction: NextActionView;
}
