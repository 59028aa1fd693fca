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
import { DISABLED_REASONS } from './alert-publisher.js';

class FailingEndpointView {
  @ShownId('sub', 'The subscription.')
  subscriptionId: string;

  @ShownTime('The first of the failures in a row.')
  failingSince: string;

  @ShownCount('Failed attempts in a row.', 5)
  failureCount: number;
}

class DisabledEndpointView {
  @ShownId('sub', 'The subscription.')
  subscriptionId: string;

  @ShownTime('Since when nothing is sent there; what waits is kept for 30 days.')
  disabledAt: string;

  @ShownChoice(
    'GONE: it answered 410. FAILING: 20 failures or more in a row over three days.',
    DISABLED_REASONS,
  )
  reason: string;

  @ShownCount('Failed attempts in a row.', 24)
  failureCount: number;
}

class NearLimitView {
  @ShownText('The key’s name.', 'backend')
  keyName: string;

  @ShownText('How the key begins, as the workbench shows it.', 'rinpath_live_AHZG…')
  keyHint: string;

  @DescribedField(
    { type: 'string', format: 'date', example: '2026-01-31' },
    {
      about: 'The day, in India.',
    },
  )
  day: string;

  @ShownCount('Requests of the day so far.', 16_000)
  used: number;

  @ShownCount('The limit of the day.', 20_000)
  limit: number;
}

abstract class AlertView {
  @ShownId('evt', 'The alert, the same on every attempt and for every subscription.')
  id: string;

  @ShownTime('When it was found.')
  createdAt: string;

  @DescribedField({ type: 'string', enum: ['v1'] }, { about: 'The version of this body.' })
  apiVersion: string;
}

/** As in the API document; `alertBody` builds them. */
class EndpointFailingView extends AlertView {
  @ShownChoice('What happened.', ['webhook.endpoint_failing'])
  event: string;

  @ShownObject(() => FailingEndpointView, 'Which subscription, and how it fails.')
  data: FailingEndpointView;
}

class EndpointDisabledView extends AlertView {
  @ShownChoice('What happened.', ['webhook.endpoint_disabled'])
  event: string;

  @ShownObject(() => DisabledEndpointView, 'Which subscription, and why.')
  data: DisabledEndpointView;
}

class KeyLimitNearView extends AlertView {
  @ShownChoice('What happened.', ['api_key.limit_near'])
  event: string;

  @ShownObject(() => NearLimitView, 'Which key, and how much of its limit is used.')
  data: NearLimitView;
}

export const ALERT_VIEWS: Readonly<Record<AlertName, new () => AlertView>> = {
  'webhook.endpoint_failing': EndpointFailingView,
  'webhook.endpoint_disabled': EndpointDisabledView,
  'api_key.limit_near': KeyLimitNearView,
};
