import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';

/** For secrets and jitter; tests may replace it. */
@Injectable()
export class RandomSource {
  bytes(length: number): Buffer {
    return randomBytes(length);
  }

  /** 32 random bytes, base64url: 43 characters. */
  token(): string {
    return this.bytes(32).toString('base64url');
  }

  /** From 0 (inclusive) to 1 (exclusive). */
  fraction(): number {
    return this.bytes(6).readUIntBE(0, 6) / 2 ** 48;
  }
}
