import { Injectable } from '@nestjs/common';
import { type ApiKey, ApiKeysRepository, KEY_SECRET_PURPOSE } from '../auth/index.js';
import { type FieldProblem, IdGenerator, Keyring, sha256, type Tx } from '../platform/index.js';
import { keyTerms, newApiKey } from './new-api-key.js';
import type { PartnerSection } from './configuration/partner-section.js';
import { type FileKeyPlan, type GivenKey, type KeptKey, planFileKeys } from './file-key-plan.js';

@Injectable()
export class FileKeysWriter {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly keyring: Keyring,
    private readonly ids: IdGenerator,
  ) {}

  /** How many keys changed; on problems nothing is written. */
  async write(
    tx: Tx,
    partners: readonly PartnerSection[],
  ): Promise<{ changed: number; problems: readonly FieldProblem[] }> {
    const given = partners.flatMap((partner, index) => givenKeys(partner, `partners[${index}]`));
    const plan = planFileKeys(given, await this.readKept(tx, given));
    if (plan.problems.length > 0) return { changed: 0, problems: plan.problems };
    await this.keys.revoke(
      tx,
      plan.revoke.map(({ id }) => id),
    );
    await this.update(tx, plan);
    for (const key of plan.insert) await this.insert(tx, key);
    const changed = plan.revoke.length + plan.update.length + plan.insert.length;
    return { changed, problems: [] };
  }

  private async readKept(tx: Tx, given: readonly GivenKey[]): Promise<KeptKey[]> {
    const rows = await this.keys.lockForFile(
      tx,
      given.map(({ keyHash }) => keyHash),
      given.map(({ fields }) => fields.name),
    );
    return rows.map((row) => this.keptOf(row));
  }

  private keptOf(row: ApiKey): KeptKey {
    const { id, partnerId, keyHash, origin, status, statusOrigin } = row;
    const { name, scopes, products, minuteLimit, dayLimit, defaultChannel, defaultProduct } = row;
    const terms = { name, scopes, products, minuteLimit, dayLimit, defaultChannel, defaultProduct };
    const fields = { ...terms, secret: this.openSecret(row.secretSealed) };
    return { id, partnerId, keyHash, origin, status, statusOrigin, fields };
  }

  /** Without its master key a secret differs from the file's, and is sealed again. */
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
    return this.keys.insert(tx, newApiKey(key, this.keyring));
  }

  private async update(tx: Tx, { update }: FileKeyPlan): Promise<void> {
    // Two keys may swap their names.
    const renamed = update.filter(({ isRenamed }) => isRenamed).map(({ id }) => id);
    await this.keys.freeNames(tx, renamed);
    for (const { id, status, given } of update) {
      await this.keys.change(tx, id, { status, ...keyTerms(given.fields, this.keyring) });
    }
  }
}

function givenKeys({ id: partnerId, keys }: PartnerSection, path: string): GivenKey[] {
  return keys.map(
    (
      { apiKey, apiSecret, status, limits, defaultProduct = 'ONLINE_PERSONAL', ...terms },
      index,
    ) => ({
      path: `${path}.keys[${index}]`,
      partnerId,
      apiKey,
      keyHash: sha256(apiKey),
      status,
      fields: {
        ...terms,
        secret: apiSecret,
        minuteLimit: limits.perMinute,
        dayLimit: limits.perDay,
        defaultProduct,
      },
    }),
  );
}
