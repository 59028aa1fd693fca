import { getSchemaPath } from '@nestjs/swagger';
import {
  DescribedField,
  IgnoredParameters,
  PartnerCall,
  ShownFlag,
  ShownText,
} from '../../platform/index.js';
import { ALERT_VIEWS } from '../alerts/alert-views.js';
import { WebhookEventView } from './event-view.js';
import { EventsQuery } from './events-query.js';

export class EventsPage {
  @DescribedField(
    {
      type: 'array',
      items: {
        oneOf: [WebhookEventView, ...Object.values(ALERT_VIEWS)].map((view) => ({
          $ref: getSchemaPath(view),
        })),
      },
    },
    { about: 'Each as the body of its webhook, byte for byte: of journeys, and alerts.' },
  )
  events: object[];

  @ShownText(
    '`after` for the next call, whether there are events on this page or not.',
    'evc_5MF_gh759oW4p2wTI_9U5xC-yanjyzExK0eGbcSCf_E_nIqpNtgTLu7B8mX7DP4c4UZ5xg',
  )
  next: string;

  @ShownFlag('Whether there are more at once; if not, ask again later.')
  hasMore: boolean;

  @IgnoredParameters()
  ignoredParameters?: string[];
}

export const ListEventsCall = () =>
  PartnerCall({
    operationId: 'listEvents',
    summary: 'Read the events',
    description:
      'The partner’s events of the last 30 days, in an order that does not change, whether a ' +
      'webhook is registered or not, with the alerts on its webhooks and keys. An event that is committed later comes later, and a ' +
      'journey’s events come in their order: whoever passes `next` on as `after` misses none.',
    answer: EventsPage,
    query: EventsQuery,
    failures: ['cursor_expired'],
  });
