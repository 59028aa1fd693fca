import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { type ApiKey, ApiKeysRepository, KEY_SECRET_PURPOSE } from '../auth/index.js';
import { type FieldProblem, IdGenerator, Keyring, sha256, type Tx } from '../platform/index.js';
import type { PartnerSection } from './configuration/partner-section.js';
import { type KeyFields, type KeyStatus, keyTerms, newApiKey } from './new-api-key.js';

@Injectable()
export class FileKeysWriter {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly keyring: Keyring,
    private readonly ids: IdGenerator,
  ) {}

  /** Writes nothing if there are problems. */
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
    const { name, scopes, products, minuteLimit, dayLimit } = row;
    const { defaultChannel, defaultProduct, uniqueClientReferences } = row;
    const defaults = { defaultChannel, defaultProduct, uniqueClientReferences };
    const terms = { name, scopes, products, minuteLimit, dayLimit };
    const fields = { ...terms, ...defaults, secret: this.openSecret(row.secretSealed) };
    return { id, partnerId, keyHash, origin, status, statusOrigin, fields };
  }

  /** Empty without its master key, so the file's secret is sealed again. */
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

export interface GivenKey {
  readonly path: string;
  readonly partnerId: string;
  readonly apiKey: string;
  readonly keyHash: string;
  readonly status: KeyStatus;
  readonly fields: KeyFields;
}

export interface KeptKey extends Pick<
  ApiKey,
  'id' | 'partnerId' | 'keyHash' | 'origin' | 'status' | 'statusOrigin'
> {
  readonly fields: KeyFields;
}

interface FileKeyPlan {
  readonly revoke: readonly KeptKey[];
  readonly insert: readonly GivenKey[];
  readonly update: readonly {
    id: string;
    isRenamed: boolean;
    status: KeyStatus;
    given: GivenKey;
  }[];
  /** If any, nothing changes. */
  readonly problems: readonly FieldProblem[];
}

/**
 * Revokes the file's keys that left it; never lifts a command's change of status.
 * @param kept also keys with one of the new hashes or names
 */
export function planFileKeys(given: readonly GivenKey[], kept: readonly KeptKey[]): FileKeyPlan {
  const keptByHash = new Map(kept.map((key) => [key.keyHash, key]));
  const givenHashes = new Set(given.map(({ keyHash }) => keyHash));
  const isGone = (key: KeptKey) => key.origin === 'FILE' && !givenHashes.has(key.keyHash);
  return {
    revoke: kept.filter((key) => isGone(key) && key.status !== 'REVOKED'),
    insert: given.filter(({ keyHash }) => !keptByHash.has(keyHash)),
    update: given.flatMap((key) => updateOf(key, keptByHash.get(key.keyHash))),
    problems: given.flatMap((key) => [
      ...ownershipProblems(key, keptByHash.get(key.keyHash)),
      ...nameProblems(key, kept),
    ]),
  };
}

function updateOf(given: GivenKey, kept: KeptKey | undefined): FileKeyPlan['update'] {
  if (!kept) return [];
  const status = kept.statusOrigin === 'COMMAND' ? kept.status : given.status;
  const isSame = status === kept.status && isDeepStrictEqual(given.fields, kept.fields);
  const isRenamed = given.fields.name !== kept.fields.name;
  return isSame ? [] : [{ id: kept.id, isRenamed, status, given }];
}

function ownershipProblems(given: GivenKey, kept: KeptKey | undefined): FieldProblem[] {
  const field = `${given.path}.apiKey`;
  if (kept?.origin === 'COMMAND') {
    return [{ field, message: 'was issued by command: remove it from the file' }];
  }
  if (kept && kept.partnerId !== given.partnerId) {
    return [{ field, message: `belongs to partner ${kept.partnerId}` }];
  }
  return [];
}

function nameProblems(given: GivenKey, kept: readonly KeptKey[]): FieldProblem[] {
  const isTaken = kept.some(
    (key) =>
      key.origin === 'COMMAND' &&
      key.status !== 'REVOKED' &&
      key.partnerId === given.partnerId &&
      key.fields.name === given.fields.name,
  );
  const message = 'is already the name of a key issued by command';
  return isTaken ? [{ field: `${given.path}.name`, message }] : [];
}
