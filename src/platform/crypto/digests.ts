import { hash, timingSafeEqual } from 'node:crypto';

/** The SHA-256 (hex) under which a random token is stored; a token of 256 bits needs no salt. */
export function sha256(value: string | Buffer): string {
  // In one step: what `createHash` makes takes room outside the heap until it is collected.
  return hash('sha256', value, 'hex');
}

/** Compares in a time that depends on the length alone. */
export function equalBytes(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}
