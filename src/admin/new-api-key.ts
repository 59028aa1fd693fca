import {
  hintOf,
  KEY_SECRET_PURPOSE,
  type KeyTerms,
  type NewApiKey,
  readApiKey,
} from '../auth/index.js';
import { type Keyring, sha256 } from '../platform/index.js';
import type { KeyFields } from './api-key-terms.js';

/** A key as its row holds it: itself as a hash, its secret sealed. */
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
