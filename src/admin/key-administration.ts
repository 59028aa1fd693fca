import { Injectable } from '@nestjs/common';
import {
  type ApiKey,
  ApiKeysRepository,
  makeApiKey,
  makeApiSecret,
  type Partner,
  PartnersRepository,
  type Scope,
  SCOPES,
} from '../auth/index.js';
import {
  Database,
  type Environment,
  IdGenerator,
  InjectEnvironment,
  Keyring,
  RandomSource,
  type Tx,
} from '../platform/index.js';
import { ConfigurationRepository, ProductsRepository } from '../settings/index.js';
import { type KeyFields, newApiKey } from './new-api-key.js';
import { Refusal } from './refusal.js';

interface KeyOrder {
  readonly partnerId: string;
  /** Unique among the partner's unrevoked keys. */
  readonly name: string;
  readonly scopes: readonly string[];
  readonly products: readonly string[];
  readonly uniqueClientReferences?: boolean;
  readonly limits: { readonly perMinute: number; readonly perDay: number };
}

/** Key and secret are never shown again. */
export interface IssuedKey {
  readonly id: string;
  readonly apiKey: string;
  readonly apiSecret: string;
}

@Injectable()
export class NewKeys {
  private readonly mode: 'test' | 'live';

  constructor(
    private readonly keyring: Keyring,
    private readonly random: RandomSource,
    private readonly ids: IdGenerator,
    @InjectEnvironment environment: Environment,
  ) {
    this.mode = environment.mode === 'production' ? 'live' : 'test';
  }

  make(slug: string, order: KeyOrder, scopes: readonly Scope[]) {
    const id = this.ids.next('key');
    const apiKey = makeApiKey(slug, this.mode, this.random);
    const apiSecret = makeApiSecret(slug, this.mode, this.random);
    const fields: KeyFields = {
      name: order.name,
      secret: apiSecret,
      scopes: [...scopes],
      products: order.products,
      minuteLimit: order.limits.perMinute,
      dayLimit: order.limits.perDay,
      defaultChannel: 'API_HEADLESS',
      defaultProduct: 'ONLINE_PERSONAL',
      uniqueClientReferences: order.uniqueClientReferences ?? false,
    };
    const { partnerId } = order;
    const key = { id, partnerId, origin: 'COMMAND', apiKey, fields, status: 'ACTIVE' } as const;
    const issued: IssuedKey = { id, apiKey, apiSecret };
    return { row: newApiKey(key, this.keyring), issued };
  }
}

/** Each change raises the key's version, so every replica sees it. */
@Injectable()
export class KeyAdministration {
  constructor(
    private readonly database: Database,
    private readonly keys: ApiKeysRepository,
    private readonly partners: PartnersRepository,
    private readonly products: ProductsRepository,
    private readonly configuration: ConfigurationRepository,
    private readonly made: NewKeys,
  ) {}

  /** @throws Refusal for an unknown partner, scope or product, or a taken name */
  issue(order: KeyOrder): Promise<IssuedKey> {
    return this.database.transaction(async (tx) => {
      const slug = await this.slug(tx);
      const scopes = knownScopes(order.scopes);
      await this.assertProducts(tx, order.products);
      await this.assertNameFree(tx, order);
      const { row, issued } = this.made.make(slug, order, scopes);
      await this.keys.insert(tx, row);
      return issued;
    });
  }

  /** @throws Refusal when the key is unknown, revoked or already suspended */
  suspend(id: string): Promise<void> {
    return this.change(id, async (tx, key) => {
      if (key.status === 'SUSPENDED') throw new Refusal(`Key ${id} is already suspended.`);
      await this.keys.change(tx, id, { status: 'SUSPENDED', statusOrigin: 'COMMAND' });
    });
  }

  /** @throws Refusal when the key is unknown, revoked, not suspended, or suspended by the file */
  resume(id: string): Promise<void> {
    return this.change(id, async (tx, key) => {
      if (key.status === 'ACTIVE') throw new Refusal(`Key ${id} is not suspended.`);
      if (key.statusOrigin === 'FILE') {
        throw new Refusal(`The configuration file suspends key ${id}: resume it there.`);
      }
      await this.keys.change(tx, id, { status: 'ACTIVE', statusOrigin: key.origin });
    });
  }

  /** @throws Refusal when the key is unknown or already revoked */
  revoke(id: string): Promise<void> {
    return this.change(id, (tx) =>
      this.keys.change(tx, id, { status: 'REVOKED', statusOrigin: 'COMMAND' }),
    );
  }

  /** @throws Refusal when the key is unknown or revoked, or the file sets its limits */
  limit(id: string, limits: { perMinute?: number; perDay?: number }): Promise<void> {
    return this.change(id, async (tx, key) => {
      if (key.origin === 'FILE') {
        throw new Refusal(
          `The configuration file sets the limits of key ${id}: change them there.`,
        );
      }
      const { perMinute: minuteLimit, perDay: dayLimit } = limits;
      await this.keys.change(tx, id, { minuteLimit, dayLimit });
    });
  }

  private change(id: string, work: (tx: Tx, key: ApiKey) => Promise<void>): Promise<void> {
    return this.database.transaction(async (tx) => {
      const key = await this.keys.lock(tx, id);
      if (!key) throw new Refusal(`There is no key ${id}.`);
      if (key.status === 'REVOKED') throw new Refusal(`Key ${id} is revoked; that is permanent.`);
      await work(tx, key);
    });
  }

  private async slug(tx: Tx): Promise<string> {
    const configuration = await this.configuration.find(tx);
    if (configuration) return configuration.brand.slug;
    throw new Refusal('No configuration has been applied yet: run config apply first.');
  }

  private async assertProducts(tx: Tx, codes: readonly string[]): Promise<void> {
    const known = await this.products.codes(tx);
    const unknown = codes.filter((code) => !known.includes(code));
    if (unknown.length === 0) return;
    throw new Refusal(
      `There is no product ${unknown.join(', ')}; the products are ${known.join(', ')}.`,
    );
  }

  /** Locks the partner, so that no two keys of one name are issued at once. */
  private async assertNameFree(tx: Tx, { partnerId, name }: KeyOrder): Promise<void> {
    if (!(await this.partners.lock(tx, partnerId))) {
      throw new Refusal(`There is no partner ${partnerId}.`);
    }
    if (await this.keys.isNameTaken(tx, partnerId, name)) {
      throw new Refusal(`Partner ${partnerId} already has a key named ${name}.`);
    }
  }
}

function knownScopes(given: readonly string[]): Scope[] {
  const unknown = given.filter((scope) => !isScope(scope));
  if (unknown.length === 0) return given.filter(isScope);
  throw new Refusal(
    `There is no scope ${unknown.join(', ')}; the scopes are ${SCOPES.join(', ')}.`,
  );
}

function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}

/** Each change raises the versions of the partner's keys, so every replica sees it. */
@Injectable()
export class PartnerAdministration {
  constructor(
    private readonly database: Database,
    private readonly partners: PartnersRepository,
  ) {}

  /** @throws Refusal when the partner is unknown or already suspended */
  suspend(id: string): Promise<void> {
    return this.change(id, async (tx, partner) => {
      if (partner.status === 'SUSPENDED') {
        throw new Refusal(`Partner ${id} is already suspended.`);
      }
      await this.partners.setStatus(tx, id, { status: 'SUSPENDED', statusOrigin: 'COMMAND' });
    });
  }

  /** @throws Refusal when the partner is unknown, not suspended, or suspended by the file */
  resume(id: string): Promise<void> {
    return this.change(id, async (tx, partner) => {
      if (partner.status === 'ACTIVE') throw new Refusal(`Partner ${id} is not suspended.`);
      if (partner.statusOrigin === 'FILE') {
        throw new Refusal(`The configuration file suspends partner ${id}: resume it there.`);
      }
      await this.partners.setStatus(tx, id, { status: 'ACTIVE', statusOrigin: 'FILE' });
    });
  }

  private change(id: string, work: (tx: Tx, partner: Partner) => Promise<void>): Promise<void> {
    return this.database.transaction(async (tx) => {
      const partner = await this.partners.lock(tx, id);
      if (!partner) throw new Refusal(`There is no partner ${id}.`);
      await work(tx, partner);
    });
  }
}
