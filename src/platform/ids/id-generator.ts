import { randomBytes, randomFillSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { Clock } from '../clock/clock.js';

export type IdPrefix =
  | 'jrn'
  | 'app'
  | 'off'
  | 'sub'
  | 'evt'
  | 'dlv'
  | 'brn'
  | 'req'
  | 'key'
  | 'qst'
  | 'int'
  | 'rdr'
  | 'sms'
  | 'pay'
  | 'rfd'
  | 'ses'
  | 'otc'
  | 'cns'
  | 'prs'
  | 'elg';

const RANDOM_BYTES = 16;
/** Random bytes for many ids cost hardly more than for one. */
const IDS_AHEAD = 256;

/** A prefix and a UUIDv7 (RFC 9562) in hex, ordered by time. */
@Injectable()
export class IdGenerator {
  private readonly ahead = Buffer.alloc(IDS_AHEAD * RANDOM_BYTES);
  private used = this.ahead.length;

  constructor(private readonly clock: Clock) {}

  next(prefix: IdPrefix): string {
    const uuid = uuidv7({ msecs: this.clock.now().getTime(), random: this.randomBytes() });
    return `${prefix}_${uuid.replaceAll('-', '')}`;
  }

  private randomBytes(): Buffer {
    if (this.used === this.ahead.length) {
      randomFillSync(this.ahead);
      this.used = 0;
    }
    const start = this.used;
    this.used += RANDOM_BYTES;
    return this.ahead.subarray(start, this.used);
  }
}

/** For secrets and jitter. */
@Injectable()
export class RandomSource {
  bytes(length: number): Buffer {
    return randomBytes(length);
  }

  /** 32 random bytes in base64url: 43 characters. */
  token(): string {
    return this.bytes(32).toString('base64url');
  }

  /** From 0 (inclusive) to 1 (exclusive). */
  fraction(): number {
    return this.bytes(6).readUIntBE(0, 6) / 2 ** 48;
  }
}
