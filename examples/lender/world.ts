import { randomBytes, randomUUID } from 'node:crypto';

/** Time, ids and chance, so that a test can say what they are. */
export interface World {
  now(): Date;
  /** An unused id: the prefix, and what is not guessed. */
  newId(prefix: string): string;
  /** For an address that only the applicant may know. */
  newToken(): string;
  /** From 0 to below 1. */
  chance(): number;
}

export const REAL_WORLD: World = {
  now: () => new Date(),
  newId: (prefix) => `${prefix}-${randomUUID()}`,
  newToken: () => randomBytes(32).toString('base64url'),
  chance: () => Math.random(),
};
