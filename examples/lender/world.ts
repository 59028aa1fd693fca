import { randomBytes, randomUUID } from 'node:crypto';

/** Time, ids and randomness, which tests replace. */
export interface World {
  now(): Date;
  /** For signatures: Rinpath's have the real time, also in a sandbox whose time was moved. */
  realNow(): Date;
  /** A new id: the prefix and an unguessable part. */
  newId(prefix: string): string;
  /** For an address that only the applicant may know. */
  newToken(): string;
  /** From 0 (inclusive) to 1 (exclusive). */
  chance(): number;
}

export const REAL_WORLD: World = {
  now: () => new Date(),
  realNow: () => new Date(),
  newId: (prefix) => `${prefix}-${randomUUID()}`,
  newToken: () => randomBytes(32).toString('base64url'),
  chance: () => Math.random(),
};
