import { hash } from 'node:crypto';

/** The SHA-256 (hex) under which a random token is stored; a token of 256 bits needs no salt. */
export function sha256(value: string | Buffer): string {
  // In one step: what `createHash` makes takes room outside the heap until it is collected.
  return hash('sha256', value, 'hex');
}
