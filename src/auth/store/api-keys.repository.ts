import { Injectable } from '@nestjs/common';
import { type FindOptionsWhere, In, Not } from 'typeorm';
import { appNow, Columns, Database, sealedSamples, type Tx } from '../../platform/index.js';
import { ApiKey, ApiKeyWindow } from './api-key.entity.js';
import type { Partner } from './partner.entity.js';
import { KEY_SECRET_PURPOSE } from '../partner-key.js';

export type KeyOfRequest = Pick<ApiKey, (typeof OF_REQUEST)[number]> & {
  readonly partnerStatus: Partner['status'];
};

export type KeyTerms = Pick<
  ApiKey,
  | 'name'
  | 'secretSealed'
  | 'scopes'
  | 'products'
  | 'minuteLimit'
  | 'dayLimit'
  | 'defaultChannel'
  | 'defaultProduct'
  | 'uniqueClientReferences'
>;

export type NewApiKey = KeyTerms &
  Pick<ApiKey, 'id' | 'partnerId' | 'origin' | 'mode' | 'keyHash' | 'hint' | 'status'>;

type KeyChanges = Partial<KeyTerms & Pick<ApiKey, 'status' | 'statusOrigin'>>;

const OF_REQUEST = [
  'id',
  'partnerId',
  'mode',
  'secretSealed',
  'scopes',
  'products',
  'minuteLimit',
  'dayLimit',
  'defaultChannel',
  'defaultProduct',
  'uniqueClientReferences',
  'status',
  'version',
] as const;

const MAX_OTHER_SECRETS = 20;

@Injectable()
export class ApiKeysRepository {
  constructor(private readonly database: Database) {}

  async findByHash(keyHash: string): Promise<KeyOfRequest | null> {
    const [row] = await this.database.prepared<KeyOfRequest>('key-by-hash', BY_HASH, [keyHash]);
    return row ?? null;
  }

  findById(id: string): Promise<KeyOfRequest | null> {
    return this.database.first(BY_ID, [id]);
  }

  /** Includes the partner's newest other keys, also revoked ones. */
  async secretsOf(
    partnerId: string,
    keyId: string,
  ): Promise<Pick<ApiKey, 'id' | 'secretSealed'>[]> {
    return this.database.with(ApiKey, async (keys) => {
      const select = { id: true, secretSealed: true } as const;
      const own = await keys.find({ select, where: { id: keyId, partnerId } });
      const order = { createdAt: 'DESC', id: 'DESC' } as const;
      const where = { partnerId, id: Not(keyId) };
      return [...own, ...(await keys.find({ select, where, order, take: MAX_OTHER_SECRETS }))];
    });
  }

  list(tx: Tx): Promise<ApiKey[]> {
    return tx.repository(ApiKey).find({ order: { partnerId: 'ASC', id: 'ASC' } });
  }

  async insert(tx: Tx, key: NewApiKey): Promise<void> {
    await tx.repository(ApiKey).insert({ ...key, statusOrigin: key.origin });
    await tx.repository(ApiKeyWindow).insert({ keyId: key.id });
  }

  async lock(tx: Tx, id: string): Promise<ApiKey | null> {
    return tx.repository(ApiKey).findOne({ where: { id }, lock: { mode: 'for_no_key_update' } });
  }

  async lockForFile(
    tx: Tx,
    keyHashes: readonly string[],
    names: readonly string[],
  ): Promise<ApiKey[]> {
    return tx.repository(ApiKey).find({
      where: [{ origin: 'FILE' }, { keyHash: In(keyHashes) }, { name: In(names) }],
      order: { id: 'ASC' },
      lock: { mode: 'for_no_key_update' },
    });
  }

  async isNameTaken(tx: Tx, partnerId: string, name: string): Promise<boolean> {
    return tx.repository(ApiKey).existsBy({ partnerId, name, status: Not('REVOKED') });
  }

  /** Raises the version, so that every replica sees the change from the commit. */
  async change(tx: Tx, id: string, changes: KeyChanges): Promise<void> {
    await update(tx, { id }, changes);
  }

  async revoke(tx: Tx, ids: readonly string[]): Promise<void> {
    await update(tx, { id: In(ids) }, { status: 'REVOKED' });
  }

  /** Two keys may swap their names. */
  async freeNames(tx: Tx, ids: readonly string[]): Promise<void> {
    await tx.update(ApiKey, { id: In(ids) }, { name: () => 'id' });
  }
}

async function update(tx: Tx, which: FindOptionsWhere<ApiKey>, changes: KeyChanges): Promise<void> {
  await tx.update(ApiKey, which, {
    ...changes,
    version: () => 'version + 1',
    updatedAt: appNow,
  });
}

const columns = new Columns(ApiKey);

const WITH_PARTNER = `
  SELECT ${columns.selected([...OF_REQUEST], 'k')}, p.status AS "partnerStatus"
  FROM api_keys AS k JOIN partners AS p ON p.id = k.partner_id`;
const BY_HASH = `${WITH_PARTNER} WHERE k.key_hash = $1`;
const BY_ID = `${WITH_PARTNER} WHERE k.id = $1`;

export const sealedSecrets = sealedSamples(
  'api_keys',
  'secret_sealed',
  KEY_SECRET_PURPOSE,
  `status <> 'REVOKED'`,
);
