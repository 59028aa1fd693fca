import { Inject, Injectable } from '@nestjs/common';
import { makeApiKey, makeApiSecret, type Scope, SCOPES } from '../auth/index.js';
import {
  Database,
  ENVIRONMENT,
  type Environment,
  IdGenerator,
  Keyring,
  RandomSource,
  type Tx,
} from '../platform/index.js';
import type { KeyStatus } from './api-key-terms.js';
import { insertApiKey } from './insert-api-key.js';
import { Refusal } from './refusal.js';

/** What a key is issued for. */
export interface KeyOrder {
  readonly partnerId: string;
  /** Unique among the partner's keys that are not revoked. */
  readonly name: string;
  readonly scopes: readonly string[];
  readonly products: readonly string[];
  readonly limits: { readonly perMinute: number; readonly perDay: number };
}

/** A key just issued: the only time that it and its secret are to be seen. */
export interface IssuedKey {
  readonly id: string;
  readonly apiKey: string;
  readonly apiSecret: string;
}

interface Standing {
  status: KeyStatus;
  origin: 'FILE' | 'COMMAND';
  status_origin: 'FILE' | 'COMMAND';
}

/**
 * What an administrator does with single keys, each in one transaction. Every change moves the
 * version of the key, so it counts on every replica from its commit on.
 */
@Injectable()
export class KeyAdministration {
  private readonly mode: 'test' | 'live';

  constructor(
    private readonly database: Database,
    private readonly keyring: Keyring,
    private readonly random: RandomSource,
    private readonly ids: IdGenerator,
    @Inject(ENVIRONMENT) environment: Environment,
  ) {
    this.mode = environment.mode === 'production' ? 'live' : 'test';
  }

  /** @throws Refusal when the partner, a scope or a product is unknown, or the name is taken */
  issue(order: KeyOrder): Promise<IssuedKey> {
    return this.database.transaction(async (tx) => {
      const slug = await readSlug(tx);
      assertScopes(order.scopes);
      await assertProducts(tx, order.products);
      await assertNameFree(tx, order);
      const id = this.ids.next('key');
      const apiKey = makeApiKey(slug, this.mode, this.random);
      const apiSecret = makeApiSecret(slug, this.mode, this.random);
      const fields = {
        name: order.name,
        secret: apiSecret,
        scopes: order.scopes,
        products: order.products,
        minuteLimit: order.limits.perMinute,
        dayLimit: order.limits.perDay,
        defaultChannel: 'API_HEADLESS',
        defaultProduct: 'ONLINE_PERSONAL',
      };
      const { partnerId } = order;
      const key = { id, partnerId, origin: 'COMMAND' as const, apiKey, fields };
      await insertApiKey(tx, { ...key, status: 'ACTIVE' }, this.keyring);
      return { id, apiKey, apiSecret };
    });
  }

  /** @throws Refusal when the key is unknown, revoked or suspended already */
  suspend(id: string): Promise<void> {
    return this.change(id, async (tx, key) => {
      if (key.status === 'SUSPENDED') throw new Refusal(`The key ${id} is suspended already.`);
      await setStatus(tx, id, 'SUSPENDED', 'COMMAND');
    });
  }

  /** @throws Refusal when the key is unknown, revoked, not suspended, or suspended by the file */
  resume(id: string): Promise<void> {
    return this.change(id, async (tx, key) => {
      if (key.status === 'ACTIVE') throw new Refusal(`The key ${id} is not suspended.`);
      if (key.status_origin === 'FILE') {
        throw new Refusal(`The configuration file suspends the key ${id}: resume it there.`);
      }
      await setStatus(tx, id, 'ACTIVE', key.origin);
    });
  }

  /** For good. @throws Refusal when the key is unknown or revoked already */
  revoke(id: string): Promise<void> {
    return this.change(id, (tx) => setStatus(tx, id, 'REVOKED', 'COMMAND'));
  }

  /** @throws Refusal when the key is unknown or revoked, or its limits stand in the file */
  limit(id: string, limits: { perMinute?: number; perDay?: number }): Promise<void> {
    return this.change(id, async (tx, key) => {
      if (key.origin === 'FILE') {
        throw new Refusal(`The limits of the key ${id} stand in the configuration file.`);
      }
      await tx.execute(
        `UPDATE api_keys SET minute_limit = coalesce($2, minute_limit),
           day_limit = coalesce($3, day_limit), version = version + 1, updated_at = app_now()
         WHERE id = $1`,
        [id, limits.perMinute ?? null, limits.perDay ?? null],
      );
    });
  }

  private change(id: string, work: (tx: Tx, key: Standing) => Promise<void>): Promise<void> {
    return this.database.transaction(async (tx) => {
      const [key] = await tx.query<Standing>(
        'SELECT status, origin, status_origin FROM api_keys WHERE id = $1 FOR NO KEY UPDATE',
        [id],
      );
      if (!key) throw new Refusal(`There is no key ${id}.`);
      if (key.status === 'REVOKED') throw new Refusal(`The key ${id} is revoked, for good.`);
      await work(tx, key);
    });
  }
}

async function setStatus(
  tx: Tx,
  id: string,
  status: KeyStatus,
  origin: Standing['status_origin'],
): Promise<void> {
  await tx.execute(
    `UPDATE api_keys SET status = $2, status_origin = $3, version = version + 1,
       updated_at = app_now()
     WHERE id = $1`,
    [id, status, origin],
  );
}

async function readSlug(tx: Tx): Promise<string> {
  const [row] = await tx.query<{ slug: string }>(
    `SELECT brand ->> 'slug' AS slug FROM configuration`,
  );
  if (row) return row.slug;
  throw new Refusal('No configuration has been applied yet: config apply comes first.');
}

function assertScopes(scopes: readonly string[]): void {
  const known: readonly string[] = SCOPES satisfies readonly Scope[];
  const unknown = scopes.filter((scope) => !known.includes(scope));
  if (unknown.length === 0) return;
  throw new Refusal(`There is no scope ${unknown.join(', ')}; there are ${SCOPES.join(', ')}.`);
}

async function assertProducts(tx: Tx, codes: readonly string[]): Promise<void> {
  const rows = await tx.query<{ code: string }>(
    'SELECT code FROM products ORDER BY position, code',
  );
  const known = rows.map(({ code }) => code);
  const unknown = codes.filter((code) => !known.includes(code));
  if (unknown.length === 0) return;
  throw new Refusal(`There is no product ${unknown.join(', ')}; there are ${known.join(', ')}.`);
}

/** The partner's row is locked, so that two keys of one name cannot be issued side by side. */
async function assertNameFree(tx: Tx, { partnerId, name }: KeyOrder): Promise<void> {
  const [partner] = await tx.query('SELECT id FROM partners WHERE id = $1 FOR NO KEY UPDATE', [
    partnerId,
  ]);
  if (!partner) throw new Refusal(`There is no partner ${partnerId}.`);
  const taken = await tx.query(
    `SELECT 1 FROM api_keys WHERE partner_id = $1 AND name = $2 AND status <> 'REVOKED'`,
    [partnerId, name],
  );
  if (taken.length > 0) throw new Refusal(`The partner ${partnerId} has a key named ${name}.`);
}
