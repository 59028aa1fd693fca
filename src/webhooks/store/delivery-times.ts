import type { TimesQuery } from '../../platform/index.js';

/** When deliveries are due to endpoints that are sent to; one that is in flight is due. */
export const DELIVERY_TIMES: TimesQuery = () => `
  SELECT greatest(q.next_attempt_at, l.probe_at) AS at
  FROM webhook_queue AS q JOIN webhook_lanes AS l USING (subscription_id) WHERE l.is_active`;
