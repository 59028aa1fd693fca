import { applyDecorators } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { PartnerCall, ShownFlag, ShownList, ShownText } from '../../platform/index.js';
import { WebhookEventView } from './event-view.js';
import { EventsQuery } from './events-query.js';

export class EventsPage {
  @ShownList(() => WebhookEventView, 'Each as the body of its webhook, byte for byte.')
  events: WebhookEventView[];

  @ShownText(
    '`after` for the next call, whether there are events on this page or not.',
    'evc_NDIuZXZ0XzAxYTFmY2YxNTNhZTc2YjJiZTNlMmFiNjhmZmM0ZDA3',
  )
  next: string;

  @ShownFlag('Whether there are more at once; if not, ask again later.')
  hasMore: boolean;
}

export const ListEventsCall = () =>
  applyDecorators(
    PartnerCall({
      operationId: 'listEvents',
      summary: 'Read the events',
      description:
        'The partner’s events of the last 30 days, in an order that does not change, whether a ' +
        'webhook is registered or not. An event that is committed later comes later, and a ' +
        'journey’s events come in their order: whoever passes `next` on as `after` misses none.',
      answer: EventsPage,
      failures: ['validation_failed', 'cursor_expired'],
    }),
    ApiQuery({ type: EventsQuery }),
  );
