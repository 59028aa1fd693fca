import { oneOf, type TimesQuery } from '../../platform/index.js';
import { NEVER_IDLE } from '../domain/journey-state.js';
import { IS_INSTANT } from './journeys.repository.js';

export function idleTimes(days: number): string {
  return `
    SELECT greatest(j.last_activity_at + ${days} * interval '24 hours', j.lease_until) AS at
    FROM journeys AS j
    WHERE NOT ${oneOf('j.state', NEVER_IDLE)}
      AND NOT ${IS_INSTANT} AND ${HAS_NO_INTENT}`;
}

export const HAS_NO_INTENT = `NOT EXISTS (
  SELECT FROM journey_intents AS i WHERE i.journey_id = j.id AND i.status = 'OPEN')`;

/** An action in progress is due now. */
export const ORPHAN_TIMES: TimesQuery = (now) => `
  SELECT CASE WHEN j.lease_until > ${now} THEN ${now}
    ELSE coalesce(i.next_attempt_at, i.created_at) END AS at
  FROM journey_intents AS i JOIN journeys AS j ON j.id = i.journey_id WHERE i.status = 'OPEN'`;
