import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/index.js';

/** Neither the key nor its secret. */
export interface ListedKey {
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

export interface ListedPartner {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly activeKeys: number;
}

@Injectable()
export class AccessListing {
  constructor(private readonly database: Database) {}

  /** Revoked ones too. */
  keys(partnerId?: string): Promise<ListedKey[]> {
    return this.database.query<ListedKey & Record<string, unknown>>(
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
    return this.database.query<ListedPartner & Record<string, unknown>>(
      `SELECT p.id, p.name,
         p.status || CASE p.status_origin WHEN 'COMMAND' THEN ' (by command)' ELSE '' END AS status,
         (SELECT count(*) FROM api_keys AS k WHERE k.partner_id = p.id AND k.status = 'ACTIVE')
           AS "activeKeys"
       FROM partners AS p ORDER BY p.id`,
    );
  }
}
