import type { DataSource } from 'typeorm';
import { withBootLock } from '../database/prepare-database.js';
import { Keyring } from './keyring.js';
import type { MasterKey } from './master-key.js';

/** The process may not work on this database; the message names keys and holds no value. */
export class MasterKeyError extends Error {
  constructor(problem: string) {
    super(
      `MASTER_KEY does not fit this database: ${problem} (without MASTER_KEY the sandbox's key ` +
        'stands in DATA_DIR/master-key). See docs/master-key.md.',
    );
    this.name = 'MasterKeyError';
  }
}

/** Something that was sealed under a key of this name. */
interface KnownKey {
  readonly name: string;
  readonly sealed: string;
  readonly purpose: string;
  /** Whether values are sealed with it; one that only opens may be missing. */
  readonly hasSealed: boolean;
}

const PURPOSE = 'master_keys.check_sealed';

// The gateways' settings and the partners' secrets are a check of their own: a database may be older
// than its check values, and its key may have been changed before. One secret for each name will do.
const KNOWN = `
  SELECT name, check_sealed AS sealed, '${PURPOSE}' AS purpose,
    sealing_since IS NOT NULL AS "hasSealed"
  FROM master_keys
  UNION ALL
  SELECT split_part(gateways_sealed, ':', 2), gateways_sealed, 'configuration.gateways', true
  FROM configuration WHERE gateways_sealed IS NOT NULL
  UNION ALL
  (SELECT DISTINCT ON (split_part(secret_sealed, ':', 2)) split_part(secret_sealed, ':', 2),
    secret_sealed, 'api_keys.secret', true
  FROM api_keys WHERE status <> 'REVOKED')`;

/**
 * For a process that only reads.
 * @throws MasterKeyError when the database knows another key by a name of the ring, or holds values
 *   that no key of the ring opens
 */
export async function verifyMasterKeys(
  dataSource: DataSource,
  keys: readonly MasterKey[],
): Promise<void> {
  const known = await dataSource.query<KnownKey[]>(KNOWN);
  for (const { name, sealed, purpose, hasSealed } of known) {
    const key = keys.find((candidate) => candidate.name === name);
    if (!key && hasSealed)
      throw new MasterKeyError(`values are sealed with ${name}, which it lacks`);
    if (key && !opens(key, sealed, purpose)) {
      throw new MasterKeyError(`${name} is another key than the one that is known by this name`);
    }
  }
}

/**
 * For a process that seals: verifies the ring, and keeps a check value of each of its keys. One that
 * is new to a database in use must be known as a key that opens before it seals: replicas that do
 * not have it yet could not open what this one seals.
 * @throws MasterKeyError as `verifyMasterKeys`, and when a key that is new would seal
 */
export async function admitMasterKeys(
  dataSource: DataSource,
  keys: readonly MasterKey[],
): Promise<void> {
  await withBootLock(dataSource, async () => {
    await verifyMasterKeys(dataSource, keys);
    const known = await dataSource.query<KnownKey[]>(KNOWN);
    const [sealing] = keys;
    if (known.length > 0 && !known.some(({ name }) => name === sealing.name)) {
      throw new MasterKeyError(
        `${sealing.name} is new and stands first. Start every replica with it behind the others ` +
          'first, so that all can open what it seals',
      );
    }
    for (const key of keys) {
      await dataSource.query(
        `INSERT INTO master_keys (name, check_sealed, sealing_since)
         VALUES ($1, $2, CASE WHEN $3 THEN app_now() END)
         ON CONFLICT (name) DO UPDATE
           SET sealing_since = coalesce(master_keys.sealing_since, excluded.sealing_since)`,
        [key.name, new Keyring([key]).seal(key.name, PURPOSE), key === sealing],
      );
    }
  });
}

function opens(key: MasterKey, sealed: string, purpose: string): boolean {
  try {
    new Keyring([key]).open(sealed, purpose);
    return true;
  } catch {
    return false;
  }
}
