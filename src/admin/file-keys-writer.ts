import { Injectable } from '@nestjs/common';
import { type FieldProblem, IdGenerator, Keyring, sha256, type Tx } from '../platform/index.js';
import { DEFAULT_LIMITS, KEY_SECRET_PURPOSE } from './api-key-terms.js';
import { fieldValues, insertApiKey } from './insert-api-key.js';
import type { KeySection, PartnerSection } from './configuration/partner-section.js';
import { type FileKeyPlan, type GivenKey, type KeptKey, planFileKeys } from './file-key-plan.js';

interface KeyRow {
  id: string;
  partner_id: string;
  name: string;
  key_hash: string;
  origin: KeptKey['origin'];
  secret_sealed: string;
  scopes: string[];
  products: string[];
  minute_limit: number;
  day_limit: number;
  default_channel: string;
  default_product: string;
  status: KeptKey['status'];
  status_origin: KeptKey['statusOrigin'];
}

/** Brings the keys of the file's origin to what the file says. */
@Injectable()
export class FileKeysWriter {
  constructor(
    private readonly keyring: Keyring,
    private readonly ids: IdGenerator,
  ) {}

  /** How many keys changed, or what stands in the way; then nothing was written. */
  async write(
    tx: Tx,
    partners: readonly PartnerSection[],
  ): Promise<{ changed: number; problems: readonly FieldProblem[] }> {
    const given = partners.flatMap((partner, index) => givenKeys(partner, `partners[${index}]`));
    const plan = planFileKeys(given, await this.readKept(tx, given));
    if (plan.problems.length > 0) return { changed: 0, problems: plan.problems };
    await revoke(tx, plan);
    await this.update(tx, plan);
    for (const key of plan.insert) await this.insert(tx, key);
    const changed = plan.revoke.length + plan.update.length + plan.insert.length;
    return { changed, problems: [] };
  }

  private async readKept(tx: Tx, given: readonly GivenKey[]): Promise<KeptKey[]> {
    const rows = await tx.query<KeyRow>(
      `SELECT id, partner_id, name, key_hash, origin, secret_sealed, scopes, products,
         minute_limit, day_limit, default_channel, default_product, status, status_origin
       FROM api_keys
       WHERE origin = 'FILE' OR key_hash = ANY ($1) OR name = ANY ($2)
       ORDER BY id FOR NO KEY UPDATE`,
      [given.map(({ keyHash }) => keyHash), given.map(({ fields }) => fields.name)],
    );
    return rows.map((row) => this.keptOf(row));
  }

  private keptOf(row: KeyRow): KeptKey {
    return {
      id: row.id,
      partnerId: row.partner_id,
      keyHash: row.key_hash,
      origin: row.origin,
      status: row.status,
      statusOrigin: row.status_origin,
      fields: {
        name: row.name,
        secret: this.openSecret(row.secret_sealed),
        scopes: row.scopes,
        products: row.products,
        minuteLimit: row.minute_limit,
        dayLimit: row.day_limit,
        defaultChannel: row.default_channel,
        defaultProduct: row.default_product,
      },
    };
  }

  /** A secret whose master key is gone equals none of the file's, and so is sealed afresh. */
  private openSecret(sealed: string): string {
    try {
      return this.keyring.open(sealed, KEY_SECRET_PURPOSE);
    } catch {
      return '';
    }
  }

  private insert(tx: Tx, { apiKey, partnerId, status, fields }: GivenKey): Promise<void> {
    const id = this.ids.next('key');
    const key = { id, partnerId, origin: 'FILE' as const, apiKey, status, fields };
    return insertApiKey(tx, key, this.keyring);
  }

  private async update(tx: Tx, { update }: FileKeyPlan): Promise<void> {
    // Two keys may swap their names, and a name is taken until its row lets go of it.
    const renamed = update.filter(({ isRenamed }) => isRenamed).map(({ id }) => id);
    await tx.execute('UPDATE api_keys SET name = id WHERE id = ANY ($1)', [renamed]);
    for (const { id, status, given } of update) {
      const { fields } = given;
      await tx.execute(
        `UPDATE api_keys SET status = $2, name = $3, secret_sealed = $4, scopes = $5,
           products = $6, minute_limit = $7, day_limit = $8, default_channel = $9,
           default_product = $10, version = version + 1, updated_at = app_now()
         WHERE id = $1`,
        [id, status, ...fieldValues(fields, this.keyring)],
      );
    }
  }
}

async function revoke(tx: Tx, plan: FileKeyPlan): Promise<void> {
  await tx.execute(
    `UPDATE api_keys SET status = 'REVOKED', version = version + 1, updated_at = app_now()
     WHERE id = ANY ($1)`,
    [plan.revoke.map(({ id }) => id)],
  );
}

function givenKeys(partner: PartnerSection, path: string): GivenKey[] {
  return (partner.keys ?? []).map((section, index) =>
    givenKey(section, partner.id, `${path}.keys[${index}]`),
  );
}

function givenKey(section: KeySection, partnerId: string, path: string): GivenKey {
  return {
    path,
    partnerId,
    apiKey: section.apiKey,
    keyHash: sha256(section.apiKey),
    status: section.status ?? 'ACTIVE',
    fields: {
      name: section.name,
      secret: section.apiSecret,
      scopes: section.scopes,
      products: section.products,
      minuteLimit: section.limits?.perMinute ?? DEFAULT_LIMITS.perMinute,
      dayLimit: section.limits?.perDay ?? DEFAULT_LIMITS.perDay,
      defaultChannel: section.defaultChannel ?? 'API_HEADLESS',
      defaultProduct: section.defaultProduct ?? 'ONLINE_PERSONAL',
    },
  };
}
