import {
  type ApiKey,
  hintOf,
  KEY_SECRET_PURPOSE,
  type KeyTerms,
  type NewApiKey,
  readApiKey,
} from '../auth/index.js';
import { type Keyring, sha256 } from '../platform/index.js';

/** From the contract. */
export const DEFAULT_LIMITS = { perMinute: 120, perDay: 20_000 } as const;

export type KeyStatus = ApiKey['status'];

export interface KeyFields extends Omit<KeyTerms, 'secretSealed'> {
  readonly secret: string;
}

export function newApiKey(
  {
    apiKey,
    fields,
    ...key
  }: Pick<NewApiKey, 'id' | 'partnerId' | 'origin' | 'status'> & {
    readonly apiKey: string;
    readonly fields: KeyFields;
  },
  keyring: Keyring,
): NewApiKey {
  return {
    ...key,
    mode: readApiKey(apiKey)!.mode,
    keyHash: sha256(apiKey),
    hint: hintOf(apiKey),
    ...keyTerms(fields, keyring),
  };
}

export function keyTerms({ secret, ...terms }: KeyFields, keyring: Keyring): KeyTerms {
  return { ...terms, secretSealed: keyring.seal(secret, KEY_SECRET_PURPOSE) };
}
