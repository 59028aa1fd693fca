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

/** The one maker of identifiers: a prefix and a UUIDv7 (RFC 9562) in hex, so ordered by time. */
@Injectable()
export class IdGenerator {
  constructor(private readonly clock: Clock) {}

  next(prefix: IdPrefix): string {
    return `${prefix}_${uuidv7({ msecs: this.clock.now().getTime() }).replaceAll('-', '')}`;
  }
}
