import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { Authority } from '../../../production-trial/certificates.ts';
import { clockOff } from './clock-off.ts';

/**
 * An authority of the run's own, and one certificate for every node: `authority.pem`, `node.pem` and `node.key`.
 * @param names as in a certificate's `subjectAltName`
 */
export function makeCertificates(
  folder: string,
  names: readonly string[],
  owner: { uid: number; gid: number },
): void {
  mkdirSync(folder, { mode: 0o755 });
  // Some clocks are behind, and a certificate is good from when it was made.
  const { key } = new Authority(folder, clockOff('-1h')).issue('node', names);
  // PostgreSQL reads no key that others may read.
  chmodSync(key, 0o600);
  chownSync(key, owner.uid, owner.gid);
}
