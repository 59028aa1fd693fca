import type { DataSource } from 'typeorm';
import { withBootLock } from '../database/prepare-database.js';
import { keepMasterKey, readMasterKeys } from '../store/deployment.js';
import { Keyring, type SealedSample, type SealedSamples } from './keyring.js';
import type { MasterKey } from './master-key.js';

/** Names keys, never values. */
export class MasterKeyError extends Error {
  constructor(problem: string) {
    super(
      `MASTER_KEY does not fit this database: ${problem} (without MASTER_KEY the sandbox's key ` +
        'is in DATA_DIR/master-key). See docs/operators/master-key.md.',
    );
    this.name = 'MasterKeyError';
  }
}

interface KnownKey extends SealedSample {
  /** A key that has sealed nothing may be missing. */
  readonly hasSealed: boolean;
}

const PURPOSE = 'master_keys.check_sealed';

/** @throws MasterKeyError when a key differs from the stored one, or values need a missing key */
export async function verifyMasterKeys(
  dataSource: DataSource,
  keys: readonly MasterKey[],
  holders: readonly SealedSamples[],
): Promise<void> {
  const known = await knownKeys(dataSource, holders);
  for (const { name, sealed, purpose, hasSealed } of known) {
    const key = keys.find((candidate) => candidate.name === name);
    if (!key && hasSealed)
      throw new MasterKeyError(`values are sealed with ${name}, which it lacks`);
    if (key && !opens(key, sealed, purpose)) {
      throw new MasterKeyError(`${name} is not the key that the database knows by this name`);
    }
  }
}

/**
 * For a process that seals. In a used database a new key must first be open-only: other replicas
 * cannot open its values.
 * @throws MasterKeyError
 */
export async function admitMasterKeys(
  dataSource: DataSource,
  keys: readonly MasterKey[],
  holders: readonly SealedSamples[],
): Promise<void> {
  await withBootLock(dataSource, async () => {
    await verifyMasterKeys(dataSource, keys, holders);
    const known = await knownKeys(dataSource, holders);
    const [sealing] = keys;
    if (known.length > 0 && !known.some(({ name }) => name === sealing.name)) {
      throw new MasterKeyError(
        `${sealing.name} is new and is listed first. First start every replica with it listed last, ` +
          'so that all can open what it seals',
      );
    }
    for (const key of keys) {
      const checkSealed = new Keyring([key]).seal(key.name, PURPOSE);
      await keepMasterKey(dataSource, { name: key.name, checkSealed }, key === sealing);
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

async function knownKeys(
  dataSource: DataSource,
  holders: readonly SealedSamples[],
): Promise<KnownKey[]> {
  const met = await readMasterKeys(dataSource);
  const samples: SealedSample[] = [];
  for (const samplesOf of holders) samples.push(...(await samplesOf(dataSource)));
  return [
    ...met.map(({ name, checkSealed, sealingSince }) => ({
      name,
      sealed: checkSealed,
      purpose: PURPOSE,
      hasSealed: sealingSince !== null,
    })),
    ...samples.map((sample) => ({ ...sample, hasSealed: true })),
  ];
}
