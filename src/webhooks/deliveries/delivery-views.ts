import {
  IgnoredParameters,
  ShownChoice,
  ShownCount,
  ShownFlag,
  ShownId,
  ShownList,
  ShownText,
  ShownTime,
} from '../../platform/index.js';
import { DELIVERY_STATUSES } from '../domain/webhook-events.js';

class AttemptView {
  @ShownCount('Counts the attempts of this delivery from 1.', 1)
  attempt: number;

  @ShownTime('When it was begun.')
  startedAt: string;

  @ShownCount('How long it took, in milliseconds.', 87)
  durationMs: number;

  @ShownCount('The status that was answered; null when no answer came.', 500, { nullable: true })
  responseStatus: number | null;

  @ShownText(
    'The first kilobyte of the answer, personal data masked; null when no answer came.',
    'try later',
    {
      nullable: true,
    },
  )
  responseExcerpt: string | null;

  @ShownText('Why no usable answer came; null when one came.', 'TIMEOUT', { nullable: true })
  failure: string | null;
}

export class DeliveryView {
  @ShownId('dlv', 'The delivery.')
  deliveryId: string;

  @ShownId('evt', 'The event, as the delivery’s body and headers name it.')
  eventId: string;

  @ShownText('The event’s name.', 'journey.completed')
  event: string;

  @ShownId('jrn', 'The journey that it tells of; null for an alert.', { nullable: true })
  journeyId: string | null;

  @ShownChoice(
    'PENDING is on its way; PAUSED waits for its subscription to be enabled; EXHAUSTED has used all ' +
      'its attempts up; CANCELLED was given up after 30 days of waiting.',
    DELIVERY_STATUSES,
  )
  status: string;

  @ShownTime('When the event came to pass.')
  createdAt: string;

  @ShownTime('When it is due; null once it is finished.', { nullable: true })
  nextAttemptAt: string | null;

  @ShownList(() => AttemptView, 'The attempts so far, the first one first.')
  attempts: AttemptView[];
}

export class DeliveryPage {
  @ShownList(() => DeliveryView, 'The newest first.')
  deliveries: DeliveryView[];

  @ShownId('dlv', '`before` for the next page, be this one full or not; null on the last.', {
    nullable: true,
  })
  nextBefore: string | null;

  @IgnoredParameters()
  ignoredParameters?: string[];
}

export class RedeliveredDelivery {
  @ShownId('dlv', 'The delivery, which is due now.')
  deliveryId: string;
}

export class RecoveredDeliveries {
  @ShownCount('How many deliveries are due again.', 12)
  recovered: number;

  @ShownFlag('Whether there are more: make the same call again.')
  hasMore: boolean;
}

export class TestResult {
  @ShownId('evt', 'The test event.')
  eventId: string;

  @ShownFlag('Whether the address answered 2xx within 5 seconds.')
  isDelivered: boolean;

  @ShownCount('How long it took, in milliseconds.', 87)
  durationMs: number;

  @ShownCount('The status that was answered; null when no answer came.', 200, { nullable: true })
  responseStatus: number | null;

  @ShownText(
    'The first kilobyte of the answer, personal data masked; null when no answer came.',
    'ok',
    {
      nullable: true,
    },
  )
  responseExcerpt: string | null;

  @ShownText('Why no usable answer came; null when one came.', 'TLS', { nullable: true })
  failure: string | null;
}
