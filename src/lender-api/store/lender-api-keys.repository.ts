import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { Columns, Database, type SealedSamples, type Tx } from '../../platform/index.js';
import { LenderApiKey } from './lender-api.entity.js';

export const PRIVATE_KEY_PURPOSE = 'lender_api_keys.private';

/** By then its messages have arrived or expired. */
const PUBLISHED_AFTER_RETIREMENT = '15 minutes';
/** A lender reads our key list once an hour. */
const KEY_LIST_INTERVAL = '1 hour';
// An arbitrary number.
const KEYS_LOCK = 4_702_131;

const columns = new Columns(LenderApiKey);

@Injectable()
export class LenderApiKeysRepository {
  constructor(private readonly database: Database) {}

  async readPublished(): Promise<LenderApiKey[]> {
    return this.database.queryReserved(
      `SELECT ${columns.selected()} FROM lender_api_keys
       WHERE retired_at IS NULL
         OR retired_at > app_now() - interval '${PUBLISHED_AFTER_RETIREMENT}'
       ORDER BY created_at, kid`,
    );
  }

  /** Oldest first. */
  async lockInUse(tx: Tx): Promise<LenderApiKey[]> {
    await tx.query('SELECT pg_advisory_xact_lock($1)', [KEYS_LOCK]);
    return tx.repository(LenderApiKey).find({
      where: { retiredAt: IsNull() },
      order: { createdAt: 'ASC', kid: 'ASC' },
    });
  }

  async insert(
    tx: Tx,
    key: Pick<LenderApiKey, 'kid' | 'privateSealed' | 'publicJwk'>,
  ): Promise<void> {
    await tx.repository(LenderApiKey).insert(key);
  }

  async isYoung(tx: Tx, kid: string): Promise<boolean> {
    const rows = await tx.query(
      `SELECT 1 FROM lender_api_keys WHERE kid = $1 AND created_at > app_now() - interval '${KEY_LIST_INTERVAL}'`,
      [kid],
    );
    return rows.length > 0;
  }

  async retire(tx: Tx, kid: string): Promise<void> {
    await tx.execute('UPDATE lender_api_keys SET retired_at = app_now() WHERE kid = $1', [kid]);
  }

  async list(): Promise<LenderApiKey[]> {
    return this.database.with(LenderApiKey, (keys) => keys.find({ order: { createdAt: 'ASC' } }));
  }
}

/** One private key in use for each master key. */
export const sealedLenderApiKeys: SealedSamples = (dataSource) =>
  dataSource.query(
    `SELECT DISTINCT ON (split_part(private_sealed, ':', 2))
       split_part(private_sealed, ':', 2) AS name, private_sealed AS sealed, $1 AS purpose
     FROM lender_api_keys WHERE retired_at IS NULL`,
    [PRIVATE_KEY_PURPOSE],
  );
