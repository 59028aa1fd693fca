import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';

/** Where secrets and jitter come from; a test may put a fixed source in its place. */
@Injectable()
export class RandomSource {
  bytes(length: number): Buffer {
    return randomBytes(length);
  }

  /** A token of 32 random bytes, base64url: 43 characters. */
  token(): string {
    return this.bytes(32).toString('base64url');
  }

  /** A fraction from 0 (inclusive) to 1 (exclusive). */
  fraction(): number {
    return this.bytes(6).readUIntBE(0, 6) / 2 ** 48;
  }
}
