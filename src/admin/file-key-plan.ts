import type { FieldProblem } from '../platform/index.js';
import type { KeyFields, KeyStatus } from './api-key-terms.js';

/** A key as the file has it. */
export interface GivenKey {
  /** Where it stands in the file. */
  readonly path: string;
  readonly partnerId: string;
  readonly apiKey: string;
  readonly keyHash: string;
  readonly status: KeyStatus;
  readonly fields: KeyFields;
}

/** A key as the database has it. */
export interface KeptKey {
  readonly id: string;
  readonly partnerId: string;
  readonly keyHash: string;
  readonly origin: 'FILE' | 'COMMAND';
  readonly status: KeyStatus;
  readonly statusOrigin: 'FILE' | 'COMMAND';
  readonly fields: KeyFields;
}

/** What must be done so that the database has the keys of the file. */
export interface FileKeyPlan {
  readonly revoke: readonly KeptKey[];
  readonly insert: readonly GivenKey[];
  readonly update: readonly {
    id: string;
    isRenamed: boolean;
    status: KeyStatus;
    given: GivenKey;
  }[];
  /** When there are any, nothing of the plan may be done. */
  readonly problems: readonly FieldProblem[];
}

/**
 * Holds the keys of the file against those that are there. The file touches only its own: it
 * revokes those that left it, and never lifts what a command has decided about a key's status.
 * @param kept every key of the file's origin, and whatever else shares a hash or a name with it
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
  const isSame = status === kept.status && sameFields(given.fields, kept.fields);
  const isRenamed = given.fields.name !== kept.fields.name;
  return isSame ? [] : [{ id: kept.id, isRenamed, status, given }];
}

function sameFields(given: KeyFields, kept: KeyFields): boolean {
  return (
    given.name === kept.name &&
    given.secret === kept.secret &&
    given.minuteLimit === kept.minuteLimit &&
    given.dayLimit === kept.dayLimit &&
    given.defaultChannel === kept.defaultChannel &&
    given.defaultProduct === kept.defaultProduct &&
    sameWords(given.scopes, kept.scopes) &&
    sameWords(given.products, kept.products)
  );
}

function sameWords(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((word, index) => word === right[index]);
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
