import { isOpenSandbox, sha256 } from '../../platform/index.js';
import type { Deployment } from './deployment.js';
import { OPEN_KEY_HASHES } from './open-key-hashes.js';

/** Whether a key or secret is one that `config/sandbox.yaml` shows to everybody. */
export function isOpenKey(text: string): boolean {
  return OPEN_KEY_HASHES.has(sha256(text));
}

/** Only a sandbox that nobody else reaches, or whose operator has said so, takes open keys. */
export function mayServeOpenKeys(deployment: Deployment): boolean {
  return isOpenSandbox(deployment);
}
