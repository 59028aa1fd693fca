import type { ApiKey, KeyTerms } from '../auth/index.js';

/** What a key may use when nothing else was arranged, by the contract. */
export const DEFAULT_LIMITS = { perMinute: 120, perDay: 20_000 } as const;

export type KeyStatus = ApiKey['status'];

/** What is decided about a key, beside its status; the secret as it is. */
export interface KeyFields extends Omit<KeyTerms, 'secretSealed'> {
  readonly secret: string;
}
