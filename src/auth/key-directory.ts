import { Inject, Injectable } from '@nestjs/common';
import {
  Database,
  ENVIRONMENT,
  type Environment,
  Keyring,
  RecentlyUsed,
  sha256,
} from '../platform/index.js';
import { readApiKey } from './key-format.js';
import type { PartnerKey } from './partner-key.js';
import type { Scope } from './scopes.js';

const MOST_KEPT = 10_000;

interface KeyRow {
  id: string;
  partner_id: string;
  mode: 'test' | 'live';
  secret_sealed: string;
  scopes: Scope[];
  products: string[];
  minute_limit: number;
  day_limit: number;
  default_channel: PartnerKey['defaultChannel'];
  default_product: string;
  status: PartnerKey['status'];
  version: number;
  partner_status: PartnerKey['partnerStatus'];
}

/**
 * Finds keys by what the caller sent. Keys are kept in memory; whether a kept key is still the
 * current one is told by admission, which compares its version in the round trip that it makes
 * anyway. So a revoked key stops at once, on every replica, and costs nothing to look up.
 *
 * A key is kept only once a request was rightly signed with it: whoever merely names keys, invented or
 * seen somewhere, takes no room from those in use.
 */
@Injectable()
export class KeyDirectory {
  private readonly kept = new RecentlyUsed<string, PartnerKey>(MOST_KEPT);
  private readonly keyMode: 'test' | 'live';

  constructor(
    private readonly database: Database,
    private readonly keyring: Keyring,
    @Inject(ENVIRONMENT) environment: Environment,
  ) {
    this.keyMode = environment.mode === 'production' ? 'live' : 'test';
  }

  /** What is kept of the key, current or not; null when nothing is. */
  recall(apiKey: string): PartnerKey | null {
    return this.kept.find(apiKey) ?? null;
  }

  /** Keeps what was read of a key; to be called when a request has shown that it holds its secret. */
  keep(apiKey: string, key: PartnerKey): void {
    this.kept.keep(apiKey, key);
  }

  /** The key as the database has it now; null when it is malformed, unknown, or of the other mode. */
  async read(apiKey: string): Promise<PartnerKey | null> {
    if (readApiKey(apiKey)?.mode !== this.keyMode) return null;
    const [row] = await this.database.prepared<KeyRow & Record<string, unknown>>(
      'key-by-hash',
      `SELECT k.id, k.partner_id, k.mode, k.secret_sealed, k.scopes, k.products, k.minute_limit,
         k.day_limit, k.default_channel, k.default_product, k.status, k.version,
         p.status AS partner_status
       FROM api_keys k JOIN partners p ON p.id = k.partner_id
       WHERE k.key_hash = $1`,
      [sha256(apiKey)],
    );
    const key = row?.mode === this.keyMode ? this.toKey(row) : null;
    // One that says no is read again each time: nothing is gained by keeping it.
    if (key?.status !== 'ACTIVE' || key.partnerStatus !== 'ACTIVE') this.kept.forget(apiKey);
    return key;
  }

  private toKey(row: KeyRow): PartnerKey {
    return Object.freeze({
      id: row.id,
      partnerId: row.partner_id,
      secret: this.keyring.open(row.secret_sealed, 'api_keys.secret'),
      status: row.status,
      partnerStatus: row.partner_status,
      scopes: new Set(row.scopes),
      products: new Set(row.products),
      minuteLimit: row.minute_limit,
      dayLimit: row.day_limit,
      defaultChannel: row.default_channel,
      defaultProduct: row.default_product,
      version: row.version,
    });
  }
}
