import { describe, expect, it } from 'vitest';
import type { Environment, Keyring } from '../platform/index.js';
import { KeyDirectory } from './key-directory.js';
import type { PartnerKey } from './partner-key.js';
import type { ApiKeysRepository } from './store/api-keys.repository.js';

// The directory's maximum.
const MAX_KEPT = 10_000;
const apiKeys = {} as ApiKeysRepository;
const keyring = {} as Keyring;
const environment = { mode: 'sandbox' } as Environment;

function keyNamed(id: string): PartnerKey {
  return { id, status: 'ACTIVE', partnerStatus: 'ACTIVE' } as PartnerKey;
}

describe('the keys that are kept', () => {
  it('stay when there are more than fit, as long as they are used', () => {
    const directory = new KeyDirectory(apiKeys, keyring, environment);
    directory.keep('in use', keyNamed('in use'));
    directory.keep('left alone', keyNamed('left alone'));
    for (let index = 0; index < 3 * MAX_KEPT; index += 1) {
      directory.keep(`other ${index}`, keyNamed(`other ${index}`));
      expect(directory.recall('in use')?.id).toBe('in use');
    }
    expect(directory.recall('left alone')).toBeNull();
    expect(directory.recall(`other ${3 * MAX_KEPT - 1}`)).not.toBeNull();
    expect(directory.recall('other 0')).toBeNull();
  });
});
