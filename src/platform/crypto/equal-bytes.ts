import { timingSafeEqual } from 'node:crypto';

/** Compares in a time that depends on the length alone. */
export function equalBytes(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}
