import { ShownId, ShownObject, ShownText, ShownUrl } from '../../platform/index.js';
import { NextActionView } from './next-action-view.js';

export class StartedJourney {
  @ShownId('jrn', 'The journey.')
  readonly journeyId: string;

  @ShownId('app', 'The lead that the journey is.')
  readonly applicationId: string;

  @ShownObject(() => NextActionView, 'What to do now.')
  readonly nextAction: NextActionView;

  @ShownUrl(
    'API_HOSTED: the single-use link for the applicant.',
    'https://rinpath.example/hosted/start/token',
    { optional: true },
  )
  readonly hostedUrl?: string;

  /** Stored only as a hash. */
  @ShownText(
    'API_HEADLESS: the session token for later calls.',
    'ypeBEsobvcr6wjGzmiPcTaeG7_gUfE5yuYB3ha_uSLs',
    { optional: true },
  )
  readonly journeySession?: string;
}
