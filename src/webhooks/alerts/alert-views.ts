import {
  DescribedField,
  ShownChoice,
  ShownCount,
  ShownId,
  ShownObject,
  ShownText,
  ShownTime,
} from '../../platform/index.js';
import type { AlertName } from '../domain/webhook-events.js';

export const BodyVersion = DescribedField(
  { type: 'string', enum: ['v1'] },
  { about: 'The version of this body.' },
);

class FailingEndpointView {
  @ShownId('sub', 'The subscription.')
  subscriptionId: string;

  @ShownTime('When the first of the consecutive failures happened.')
  failingSince: string;

  @ShownCount('Consecutive failed attempts.', 5)
  failureCount: number;
}

const DISABLED_REASONS = ['GONE', 'FAILING'] as const;

class DisabledEndpointView {
  @ShownId('sub', 'The subscription.')
  subscriptionId: string;

  @ShownTime('When sending stopped; pending events are kept for 30 days.')
  disabledAt: string;

  @ShownChoice(
    'GONE: it answered 410. FAILING: at least 20 consecutive failures over three days.',
    DISABLED_REASONS,
  )
  reason: (typeof DISABLED_REASONS)[number];

  @ShownCount('Consecutive failed attempts.', 24)
  failureCount: number;
}

class NearLimitView {
  @ShownText('The key’s name.', 'backend')
  keyName: string;

  @ShownText('The start of the key, as the workbench displays it.', 'rinpath_live_AHZG…')
  keyHint: string;

  @DescribedField(
    { type: 'string', format: 'date' },
    { about: 'The calendar day in India.', example: '2026-01-31' },
  )
  day: string;

  @ShownCount('Requests so far on this day.', 16_000)
  used: number;

  @ShownCount('The daily limit.', 20_000)
  limit: number;
}

abstract class AlertView {
  @ShownId('evt', 'The alert, the same on every attempt and for every subscription.')
  id: string;

  @ShownTime('When the problem was detected.')
  createdAt: string;

  @BodyVersion
  apiVersion: string;
}

/** As in the API document; `alertBody` builds them. */
class EndpointFailingView extends AlertView {
  @ShownChoice('What happened.', ['webhook.endpoint_failing'])
  event: string;

  @ShownObject(() => FailingEndpointView, 'The subscription, and how it fails.')
  data: FailingEndpointView;
}

class EndpointDisabledView extends AlertView {
  @ShownChoice('What happened.', ['webhook.endpoint_disabled'])
  event: string;

  @ShownObject(() => DisabledEndpointView, 'The subscription, and the cause.')
  data: DisabledEndpointView;
}

class KeyLimitNearView extends AlertView {
  @ShownChoice('What happened.', ['api_key.limit_near'])
  event: string;

  @ShownObject(() => NearLimitView, 'The key, and how much of its limit is used.')
  data: NearLimitView;
}

export const ALERT_VIEWS = {
  'webhook.endpoint_failing': EndpointFailingView,
  'webhook.endpoint_disabled': EndpointDisabledView,
  'api_key.limit_near': KeyLimitNearView,
} satisfies Record<AlertName, new () => AlertView>;

export type AlertData<Name extends AlertName> = InstanceType<(typeof ALERT_VIEWS)[Name]>['data'];
