import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type Environment, InjectEnvironment, Keyring, sha256 } from '../platform/index.js';
import { readApiKey } from './key-format.js';
import { KEY_SECRET_PURPOSE, type PartnerKey } from './partner-key.js';
import { ApiKeysRepository, type KeyOfRequest } from './store/api-keys.repository.js';

const MAX_KEPT = 10_000;

/**
 * Admission checks a cached key's version, so a revoked key stops at once on every replica.
 *
 * Only keys with a verified signature are cached: invented or stolen key names evict no key in use.
 */
@Injectable()
export class KeyDirectory {
  private readonly kept = new LRUCache<string, PartnerKey>({ max: MAX_KEPT });
  private readonly keyMode: 'test' | 'live';

  constructor(
    private readonly apiKeys: ApiKeysRepository,
    private readonly keyring: Keyring,
    @InjectEnvironment environment: Environment,
  ) {
    this.keyMode = environment.mode === 'production' ? 'live' : 'test';
  }

  /** May be outdated. */
  recall(apiKey: string): PartnerKey | null {
    return this.kept.get(apiKey) ?? null;
  }

  keep(apiKey: string, key: PartnerKey): void {
    this.kept.set(apiKey, key);
  }

  /** Null when the key is malformed, unknown, or of the other mode. */
  async read(apiKey: string): Promise<PartnerKey | null> {
    if (readApiKey(apiKey)?.mode !== this.keyMode) return null;
    const row = await this.apiKeys.findByHash(sha256(apiKey));
    const key = row?.mode === this.keyMode ? this.toKey(row) : null;
    if (key?.status !== 'ACTIVE' || key.partnerStatus !== 'ACTIVE') this.kept.delete(apiKey);
    return key;
  }

  async readById(id: string): Promise<PartnerKey | null> {
    const row = await this.apiKeys.findById(id);
    return row && this.toKey(row);
  }

  private toKey(row: KeyOfRequest): PartnerKey {
    return Object.freeze({
      id: row.id,
      partnerId: row.partnerId,
      secret: this.keyring.open(row.secretSealed, KEY_SECRET_PURPOSE),
      status: row.status,
      partnerStatus: row.partnerStatus,
      scopes: new Set(row.scopes),
      products: new Set(row.products),
      minuteLimit: row.minuteLimit,
      dayLimit: row.dayLimit,
      defaultChannel: row.defaultChannel,
      defaultProduct: row.defaultProduct,
      uniqueClientReferences: row.uniqueClientReferences,
      version: row.version,
    });
  }
}
