import { hash, timingSafeEqual } from 'node:crypto';

/** SHA-256 in hex. A random token of 256 bits needs no salt. */
export function sha256(value: string | Buffer): string {
  // `createHash` would hold memory outside the heap until collected.
  return hash('sha256', value, 'hex');
}

/** Constant time for a given length. */
export function equalBytes(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}
