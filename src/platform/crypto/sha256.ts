import { createHash } from 'node:crypto';

/** The SHA-256 (hex) under which a random token is stored; a token of 256 bits needs no salt. */
export function sha256(value: string | Buffer): string {
  return createHash('sha256').update(value).digest('hex');
}
