import {
  DescribedField,
  ShownChoice,
  ShownCount,
  ShownId,
  ShownObject,
  ShownText,
  ShownTime,
} from '../../platform/index.js';
import { TEST_EVENT, WEBHOOK_EVENTS } from '../domain/webhook-events.js';

class EventNextActionView {
  @ShownText('The step.', 'SELECT_OFFER')
  type: string;

  @ShownText('What the step asks of the caller.', 'ACTION')
  category: string;
}

class EventDataView {
  @ShownText('The catalogue’s code.', 'ONLINE_PERSONAL')
  productCode: string;

  @ShownChoice('How the applicant is led.', ['API_HEADLESS', 'API_HOSTED'])
  channel: string;

  @ShownText('Where the journey stood.', 'OFFERS_RECEIVED')
  state: string;

  @ShownObject(() => EventNextActionView, 'What the journey asked for then.')
  nextAction: EventNextActionView;

  @ShownText('How the journey ended, or that it had not.', 'IN_PROGRESS')
  outcome: string;
}

/** The body of a delivery, as the API document shows it; `eventBody` makes it. */
export class WebhookEventView {
  @ShownId('evt', 'The event, the same on every attempt and for every subscription.')
  id: string;

  @ShownChoice('What happened.', WEBHOOK_EVENTS)
  event: string;

  @ShownTime('When it happened.')
  createdAt: string;

  @DescribedField({ type: 'string', enum: ['v1'] }, { about: 'The version of this body.' })
  apiVersion: string;

  @ShownCount('Counts the journey’s events from 1, so that a stale one can be dropped.', 4)
  sequence: number;

  @ShownId('jrn', 'The journey.')
  journeyId: string;

  @ShownId('app', 'The lead that the journey is.')
  applicationId: string;

  @ShownObject(() => EventDataView, 'The journey at that moment; no personal data.')
  data: EventDataView;
}

/** The body of a test event, as the API document shows it; it tells of no journey. */
export class WebhookTestEventView {
  @ShownId('evt', 'The test event.')
  id: string;

  @ShownChoice('That it is a test.', [TEST_EVENT])
  event: string;

  @ShownTime('When it was sent.')
  createdAt: string;

  @DescribedField({ type: 'string', enum: ['v1'] }, { about: 'The version of this body.' })
  apiVersion: string;

  @ShownId('sub', 'The subscription that is tested.')
  subscriptionId: string;

  @DescribedField({ type: 'object', additionalProperties: false }, { about: 'Empty.' })
  data: object;
}
