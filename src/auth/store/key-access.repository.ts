import { Injectable } from '@nestjs/common';
import { Columns, Database } from '../../platform/index.js';
import type { Scope } from '../partner-key.js';
import { ApiKey } from './api-key.entity.js';

export interface KeyAccess extends Pick<ApiKey, 'name' | 'hint'> {
  readonly keyId: string;
  readonly partnerId: string;
  readonly partnerName: string;
  readonly scopes: readonly Scope[];
}

export interface KeyUse extends Pick<ApiKey, 'id' | 'name' | 'hint' | 'minuteLimit' | 'dayLimit'> {
  readonly status: 'ACTIVE' | 'SUSPENDED';
  /** Requests in the last 61 seconds. */
  readonly minuteUsed: number;
  /** Requests today in India. */
  readonly dayUsed: number;
}

export interface KeyNearLimit extends Pick<
  ApiKey,
  'id' | 'partnerId' | 'name' | 'hint' | 'dayLimit'
> {
  readonly dayUsed: number;
  /** `2026-01-31` */
  readonly day: string;
  readonly dayBegan: Date;
}

const MAX_KEYS = 50;

const columns = new Columns(ApiKey);

@Injectable()
export class KeyAccessRepository {
  constructor(private readonly database: Database) {}

  /** Null unless key and partner are active. */
  async find(keyId: string): Promise<KeyAccess | null> {
    const [row] = await this.database.prepared<KeyAccess>('key-access', FIND, [keyId]);
    return row ?? null;
  }

  usesOf(partnerId: string): Promise<KeyUse[]> {
    return this.database.query(USES, [partnerId, MAX_KEYS]);
  }

  /**
   * Keys of all partners that used at least `percent` of today's limit.
   * @param after last id of the previous page; empty for the first
   */
  nearDayLimit(percent: number, after: string, most: number): Promise<KeyNearLimit[]> {
    return this.database.query(NEAR_DAY_LIMIT, [percent, after, most]);
  }
}

const FIND = `
  SELECT k.id AS "keyId", p.name AS "partnerName",
    ${columns.selected(['partnerId', 'name', 'hint', 'scopes'], 'k')}
  FROM api_keys AS k JOIN partners AS p ON p.id = k.partner_id
  WHERE k.id = $1 AND k.status = 'ACTIVE' AND p.status = 'ACTIVE'
`;

// `admit_requests` drops expired seconds only at the next request, so this query excludes them.
const USES = `
  SELECT ${columns.selected(['id', 'name', 'hint', 'status', 'minuteLimit', 'dayLimit'], 'k')},
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
  SELECT ${columns.selected(['id', 'partnerId', 'name', 'hint', 'dayLimit'], 'k')},
    w.day_used AS "dayUsed", w.day::text AS day,
    w.day::timestamp AT TIME ZONE 'Asia/Kolkata' AS "dayBegan"
  FROM api_key_windows AS w JOIN api_keys AS k ON k.id = w.key_id
  WHERE w.day = (app_now() AT TIME ZONE 'Asia/Kolkata')::date
    AND w.day_used::bigint * 100 >= k.day_limit::bigint * $1
    AND k.status = 'ACTIVE' AND k.id > $2
  ORDER BY k.id LIMIT $3
`;

interface ListedKey {
  readonly id: string;
  readonly partner: string;
  readonly name: string;
  readonly key: string;
  readonly status: string;
  readonly origin: string;
  readonly perMinute: number;
  readonly perDay: number;
  readonly scopes: string;
  readonly products: string;
}

interface ListedPartner {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly activeKeys: number;
}

@Injectable()
export class AccessListing {
  constructor(private readonly database: Database) {}

  /** Includes revoked keys. */
  keys(partnerId?: string): Promise<ListedKey[]> {
    return this.database.query(
      `SELECT id, partner_id AS partner, name, hint AS key,
         status || CASE WHEN status <> 'ACTIVE' AND status_origin = 'COMMAND' AND origin = 'FILE'
           THEN ' (by command)' ELSE '' END AS status,
         origin, minute_limit AS "perMinute", day_limit AS "perDay",
         array_to_string(scopes, ' ') AS scopes, array_to_string(products, ' ') AS products
       FROM api_keys WHERE $1::text IS NULL OR partner_id = $1
       ORDER BY partner_id, status, name, id`,
      [partnerId ?? null],
    );
  }

  partners(): Promise<ListedPartner[]> {
    return this.database.query(
      `SELECT p.id, p.name,
         p.status || CASE p.status_origin WHEN 'COMMAND' THEN ' (by command)' ELSE '' END AS status,
         (SELECT count(*) FROM api_keys AS k WHERE k.partner_id = p.id AND k.status = 'ACTIVE')
           AS "activeKeys"
       FROM partners AS p ORDER BY p.id`,
    );
  }
}
