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

  @ShownTime('When the attempt started.')
  startedAt: string;

  @ShownCount('Duration in milliseconds.', 87)
  durationMs: number;

  @ShownCount('The HTTP status of the response; null without a response.', 500, { nullable: true })
  responseStatus: number | null;

  @ShownText(
    'The first kilobyte of the response, personal data masked; null without a response.',
    'try later',
    {
      nullable: true,
    },
  )
  responseExcerpt: string | null;

  @ShownText('Why there was no usable response; null if there was one.', 'TIMEOUT', {
    nullable: true,
  })
  failure: string | null;
}

export class DeliveryView {
  @ShownId('dlv', 'The delivery.')
  deliveryId: string;

  @ShownId('evt', 'The event’s id, as in the delivery’s body and headers.')
  eventId: string;

  @ShownText('The event’s name.', 'journey.completed')
  event: string;

  @ShownId('jrn', 'The event’s journey; null for an alert.', { nullable: true })
  journeyId: string | null;

  @ShownChoice(
    'PENDING: waiting or being sent. PAUSED: waits for its subscription to be enabled. EXHAUSTED: all ' +
      'attempts failed. CANCELLED: waited for 30 days, or the subscription was deleted.',
    DELIVERY_STATUSES,
  )
  status: string;

  @ShownTime('When the event happened.')
  createdAt: string;

  @ShownTime('The earliest time of the next attempt; null once finished.', { nullable: true })
  nextAttemptAt: string | null;

  @ShownList(() => AttemptView, 'The attempts so far, oldest first.')
  attempts: AttemptView[];
}

export class DeliveryPage {
  @ShownList(() => DeliveryView, 'Newest first.')
  deliveries: DeliveryView[];

  @ShownId('dlv', '`before` for the next page; null on the last page.', {
    nullable: true,
  })
  nextBefore: string | null;

  @IgnoredParameters
  ignoredParameters?: string[];
}

export class RedeliveredDelivery {
  @ShownId('dlv', 'The delivery, now due.')
  deliveryId: string;
}

export class RecoveredDeliveries {
  @ShownCount('The number of deliveries that are due again.', 12)
  recovered: number;

  @ShownFlag('True if more are left: repeat the call.')
  hasMore: boolean;
}

export class TestResult {
  @ShownId('evt', 'The test event.')
  eventId: string;

  @ShownFlag('Whether the address answered 2xx within 5 seconds.')
  isDelivered: boolean;

  @ShownCount('Duration in milliseconds.', 87)
  durationMs: number;

  @ShownCount('The HTTP status of the response; null without a response.', 200, { nullable: true })
  responseStatus: number | null;

  @ShownText(
    'The first kilobyte of the response, personal data masked; null without a response.',
    'ok',
    {
      nullable: true,
    },
  )
  responseExcerpt: string | null;

  @ShownText('Why there was no usable response; null if there was one.', 'TLS', { nullable: true })
  failure: string | null;
}
