import type { AlertEvent } from '../../webhooks/index.js';
import { explained } from '../guide/guide.js';
import { stamp } from './stamp.js';

export function shownAlert({ body, url }: AlertEvent) {
  const { event, createdAt, data } = JSON.parse(body) as AlertBody;
  const { subscriptionId, keyName, used, limit } = data;
  return {
    event,
    ...explained('event', event),
    at: stamp(new Date(createdAt)),
    url,
    href: subscriptionId && url && `/workbench/webhooks/${subscriptionId}`,
    keyName,
    used,
    limit,
  };
}

interface AlertBody {
  readonly event: string;
  readonly createdAt: string;
  readonly data: {
    readonly subscriptionId?: string;
    readonly keyName?: string;
    readonly used?: number;
    readonly limit?: number;
  };
}
