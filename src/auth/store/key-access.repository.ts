import { Injectable } from '@nestjs/common';
import { Columns, Database } from '../../platform/index.js';
import type { Scope } from '../partner-key.js';
import { ApiKey } from './api-key.entity.js';

/** What whoever holds a key may do, beside signing with it. */
export interface KeyAccess extends Pick<ApiKey, 'name' | 'hint'> {
  readonly keyId: string;
  readonly partnerId: string;
  readonly partnerName: string;
  readonly scopes: readonly Scope[];
}

/** How much of a key's limits is used up at present. */
export interface KeyUse extends Pick<ApiKey, 'id' | 'name' | 'hint' | 'minuteLimit' | 'dayLimit'> {
  readonly status: 'ACTIVE' | 'SUSPENDED';
  /** Requests in the second that has begun and the sixty before it. */
  readonly minuteUsed: number;
  /** Requests on this day in India. */
  readonly dayUsed: number;
}

/** An active key that has used much of its limit of this day in India. */
export interface KeyNearLimit extends Pick<
  ApiKey,
  'id' | 'partnerId' | 'name' | 'hint' | 'dayLimit'
> {
  readonly dayUsed: number;
  /** `2026-01-31` */
  readonly day: string;
  readonly dayBegan: Date;
}

/** More keys of a partner than this are not shown together. */
const MAX_KEYS = 50;

const columns = new Columns(ApiKey);

/** Keys as their partner is shown them; neither they nor their secrets are in it. */
@Injectable()
export class KeyAccessRepository {
  constructor(private readonly database: Database) {}

  /** Null when there is no such key, or it or its partner is not active. */
  async find(keyId: string): Promise<KeyAccess | null> {
    const [row] = await this.database.prepared<KeyAccess & Record<string, unknown>>(
      'key-access',
      FIND,
      [keyId],
    );
    return row ?? null;
  }

  /** The partner's keys that are not revoked, by name: fifty at most. */
  usesOf(partnerId: string): Promise<KeyUse[]> {
    return this.database.query<KeyUse & Record<string, unknown>>(USES, [partnerId, MAX_KEYS]);
  }

  /**
   * The keys, of any partner, that have used so many per cent of the limit of this day, or more, in the order of
   * their ids.
   * @param after where to go on; an empty text for the start
   */
  nearDayLimit(percent: number, after: string, most: number): Promise<KeyNearLimit[]> {
    return this.database.query<KeyNearLimit & Record<string, unknown>>(NEAR_DAY_LIMIT, [
      percent,
      after,
      most,
    ]);
  }
}

const FIND = `
  SELECT k.id AS "keyId", p.name AS "partnerName",
    ${columns.selected('k', ['partnerId', 'name', 'hint', 'scopes'])}
  FROM api_keys AS k JOIN partners AS p ON p.id = k.partner_id
  WHERE k.id = $1 AND k.status = 'ACTIVE' AND p.status = 'ACTIVE'
`;

// What has left the windows since a request was last counted is taken out here: `admit_requests` does so
// only when the next one comes.
const USES = `
  SELECT ${columns.selected('k', ['id', 'name', 'hint', 'status', 'minuteLimit', 'dayLimit'])},
    coalesce((
      SELECT sum(w.buckets[(s % 61)::integer + 1])::integer
      FROM generate_series(greatest(w.second - 60, t.second - 60), w.second) AS s
    ), 0) AS "minuteUsed",
    CASE WHEN w.day = t.day THEN w.day_used ELSE 0 END AS "dayUsed"
  FROM api_keys AS k
  LEFT JOIN api_key_windows AS w ON w.key_id = k.id
  CROSS JOIN (
    SELECT floor(extract(epoch FROM app_now()))::bigint AS second,
      (app_now() AT TIME ZONE 'Asia/Kolkata')::date AS day
  ) AS t
  WHERE k.partner_id = $1 AND k.status <> 'REVOKED'
  ORDER BY k.name, k.id LIMIT $2
`;

const NEAR_DAY_LIMIT = `
  SELECT ${columns.selected('k', ['id', 'partnerId', 'name', 'hint', 'dayLimit'])},
    w.day_used AS "dayUsed", w.day::text AS day,
    w.day::timestamp AT TIME ZONE 'Asia/Kolkata' AS "dayBegan"
  FROM api_key_windows AS w JOIN api_keys AS k ON k.id = w.key_id
  WHERE w.day = (app_now() AT TIME ZONE 'Asia/Kolkata')::date
    AND w.day_used::bigint * 100 >= k.day_limit::bigint * $1
    AND k.status = 'ACTIVE' AND k.id > $2
  ORDER BY k.id LIMIT $3
`;
