import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { Authority } from '../../../production-trial/certificates.ts';
import { clockOff } from './clock-off.ts';

/**
 * An authority for the run, and one certificate for all nodes: `authority.pem`, `node.pem` and `node.key`.
 * @param names as in a certificate's `subjectAltName`
 */
export function makeCertificates(
  folder: string,
  names: readonly string[],
  owner: { uid: number; gid: number },
): void {
  mkdirSync(folder, { mode: 0o755 });
  // Some clocks are behind, and a certificate is valid from its creation.
  const { key } = new Authority(folder, clockOff('-1h')).issue('node', names);
  // PostgreSQL rejects a key that other users can read.
  chmodSync(key, 0o600);
  chownSync(key, owner.uid, owner.gid);
}
