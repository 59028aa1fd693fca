import { randomFillSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { Clock } from '../clock/clock.js';

/** The kinds of thing that have an id, by the prefix that the id has. */
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
  | 'prs';

const RANDOM_BYTES = 16;
/** To ask for the random bytes of so many ids takes hardly longer than for those of one. */
const IDS_AHEAD = 256;

/** The one maker of identifiers: a prefix and a UUIDv7 (RFC 9562) in hex, so ordered by time. */
@Injectable()
export class IdGenerator {
  private readonly ahead = Buffer.alloc(IDS_AHEAD * RANDOM_BYTES);
  private used = this.ahead.length;

  constructor(private readonly clock: Clock) {}

  next(prefix: IdPrefix): string {
    const uuid = uuidv7({ msecs: this.clock.now().getTime(), random: this.randomBytes() });
    return `${prefix}_${uuid.replaceAll('-', '')}`;
  }

  /** Bytes that nobody else was given. */
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
