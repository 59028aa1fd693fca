import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import {
  DescribedField,
  type FieldProblem,
  IgnoredParameters,
  PartnerCall,
  ShownChoice,
  ShownCount,
  ShownFlag,
  ShownId,
  ShownObject,
  ShownText,
  ShownTime,
  validationFault,
} from '../../platform/index.js';
import { ALERT_VIEWS, BodyVersion } from '../alerts/alert-views.js';
import {
  EVENT_NAMES,
  type EventName,
  isEventName,
  LEAD_EVENT,
  TEST_EVENT,
  WEBHOOK_EVENTS,
} from '../domain/webhook-events.js';
import type { EventCursor, EventCursors } from './event-cursor.js';
import { PageLimit, readLimit } from '../page-limit.js';

/** Without the URL of a redirect, which opens the applicant's session. */
class EventNextActionView {
  @ShownText('The step.', 'SELECT_OFFER')
  type: string;

  @ShownText('What the caller must do.', 'ACTION')
  category: string;
}

export class EventDataView {
  @ShownText('The catalogue’s code.', 'ONLINE_PERSONAL')
  productCode: string;

  @ShownChoice('Hosted or headless.', ['API_HEADLESS', 'API_HOSTED'])
  channel: string;

  @ShownText('The journey’s state.', 'OFFERS_RECEIVED')
  state: string;

  @ShownObject(() => EventNextActionView, 'The next action at that time.')
  nextAction: EventNextActionView;

  @ShownText('How the journey ended, or IN_PROGRESS.', 'IN_PROGRESS')
  outcome: string;

  @ShownText('Why it ended, if there is a reason.', 'NO_OFFERS', { optional: true })
  outcomeReason?: string;

  @ShownText('Your own reference, if you sent one.', 'order-A1042', { optional: true })
  clientReferenceId?: string;
}

export class LeadChangeView {
  @ShownText('The product’s code.', 'ONLINE_INSTANT')
  loanType: string;

  @ShownText('The status now.', 'PAYMENT_RECEIVED')
  status: string;

  @ShownText('The status before.', 'PAYMENT_PENDING')
  previousStatus: string;

  @ShownText('Why it ended, if there is a reason.', 'NO_OFFERS', { optional: true })
  reason?: string;

  @ShownText('Your own reference, if you sent one.', 'order-A1042', { optional: true })
  clientReferenceId?: string;
}

/** As in the API document; `leadEventBody` builds it. */
export class LeadEventView {
  @ShownId('evt', 'The event, the same on every attempt and for every subscription.')
  id: string;

  @ShownChoice('What happened.', [LEAD_EVENT.name])
  event: string;

  @ShownTime('When it happened.')
  createdAt: string;

  @BodyVersion
  apiVersion: string;

  @ShownCount('Counts the lead’s events from 1.', 1)
  sequence: number;

  @ShownId('jrn', 'Its journey.')
  journeyId: string;

  @ShownId('app', 'The lead.')
  applicationId: string;

  @ShownObject(() => LeadChangeView, 'The change; no personal data.')
  data: LeadChangeView;
}

/** As in the API document; `eventBody` builds it. */
export class WebhookEventView {
  @ShownId('evt', 'The event, the same on every attempt and for every subscription.')
  id: string;

  @ShownChoice('What happened.', WEBHOOK_EVENTS)
  event: string;

  @ShownTime('When it happened.')
  createdAt: string;

  @BodyVersion
  apiVersion: string;

  @ShownCount('Counts the journey’s events from 1, to detect stale events.', 4)
  sequence: number;

  @ShownId('jrn', 'The journey.')
  journeyId: string;

  @ShownId('app', 'The journey’s lead.')
  applicationId: string;

  @ShownObject(() => EventDataView, 'The journey at that time; no personal data.')
  data: EventDataView;
}

/** As in the API document; it has no journey. */
export class WebhookTestEventView {
  @ShownId('evt', 'The test event.')
  id: string;

  @ShownChoice('Marks a test.', [TEST_EVENT])
  event: string;

  @ShownTime('When it was sent.')
  createdAt: string;

  @BodyVersion
  apiVersion: string;

  @ShownId('sub', 'The tested subscription.')
  subscriptionId: string;

  @DescribedField({ type: 'object', additionalProperties: false }, { about: 'Empty.' })
  data: object;
}

const MAX_A_PAGE = 100;

export class EventsQuery {
  @ApiProperty({
    required: false,
    type: 'string',
    description: '`next` of the last response. Without it, or empty, from the oldest event kept.',
  })
  after?: string;

  @ApiProperty({
    required: false,
    type: 'string',
    description:
      'Only events of these names, separated by commas. Without it, all but `lead.status_changed`. A page searches at most 1,000 ' +
      'events, so it can be short or empty although more follow.',
    example: 'journey.completed,journey.rejected',
  })
  events?: string;

  @PageLimit(MAX_A_PAGE, 'Events on a page.')
  limit?: number;
}

/** Null means no filter. */
export interface EventsPageQuery {
  readonly after: EventCursor | null;
  readonly names: readonly EventName[] | null;
  readonly limit: number;
}

/** @throws Fault validation_failed naming every bad parameter */
export function readEventsQuery(
  parameters: Record<string, unknown>,
  cursors: EventCursors,
): EventsPageQuery {
  const { after, events, limit } = { ...parameters };
  const problems: FieldProblem[] = [];
  const isStart = after === undefined || after === '';
  const cursor = typeof after === 'string' ? cursors.read(after) : null;
  if (!isStart && !cursor) {
    problems.push({
      field: 'after',
      message: 'must be `next` from an earlier response of this call',
    });
  }
  const names = events === undefined || events === '' ? null : namesOf(events);
  if (names && !names.every((name) => isEventName(name))) {
    problems.push({ field: 'events', message: `must be names from ${EVENT_NAMES.join(', ')}` });
  }
  const size = readLimit(limit, MAX_A_PAGE, problems);
  if (problems.length > 0) throw validationFault(problems);
  return { after: cursor, names: names as EventName[] | null, limit: size };
}

/** A repeated parameter becomes an invalid name. */
function namesOf(value: unknown): string[] {
  return typeof value === 'string' ? value.split(',').map((name) => name.trim()) : [''];
}

export class EventsPage {
  @DescribedField(
    {
      type: 'array',
      items: {
        oneOf: [WebhookEventView, LeadEventView, ...Object.values(ALERT_VIEWS)].map((view) => ({
          $ref: getSchemaPath(view),
        })),
      },
    },
    { about: 'Events and alerts, each exactly like the body of its webhook.' },
  )
  events: object[];

  @ShownText(
    '`after` for the next call, also if this page is empty.',
    'evc_5MF_gh759oW4p2wTI_9U5xC-yanjyzExK0eGbcSCf_E_nIqpNtgTLu7B8mX7DP4c4UZ5xg',
  )
  next: string;

  @ShownFlag('Whether there are more now; if not, poll later.')
  hasMore: boolean;

  @IgnoredParameters
  ignoredParameters?: string[];
}

export const ListEventsCall = PartnerCall({
  operationId: 'listEvents',
  summary: 'Read the events',
  description:
    'The partner’s events of the last 30 days and the alerts on its webhooks and keys, in a stable order, ' +
    'with or without a registered webhook. Events are in commit order, and a ' +
    'journey’s events are in sequence. Pass `next` as `after` to miss none.',
  answer: EventsPage,
  query: EventsQuery,
  failures: ['cursor_expired'],
});
