import { isDeepStrictEqual } from 'node:util';
import type { ApiKey } from '../auth/index.js';
import type { FieldProblem } from '../platform/index.js';
import type { KeyFields, KeyStatus } from './new-api-key.js';

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

export interface FileKeyPlan {
  readonly revoke: readonly KeptKey[];
  readonly insert: readonly GivenKey[];
  readonly update: readonly {
    id: string;
    isRenamed: boolean;
    status: KeyStatus;
    given: GivenKey;
  }[];
  /** When there are any, nothing is done. */
  readonly problems: readonly FieldProblem[];
}

/**
 * The file revokes its own keys that left it, and never lifts a command's change of status.
 * @param kept the file's keys, and others with one of their hashes or names
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
    return [{ field, message: 'was issued by command, so the file cannot have it' }];
  }
  if (kept && kept.partnerId !== given.partnerId) {
    return [{ field, message: `belongs to the partner ${kept.partnerId}` }];
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
  const message = 'is the name of a key that was issued by command';
  return isTaken ? [{ field: `${given.path}.name`, message }] : [];
}
