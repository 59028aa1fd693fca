import { Injectable } from '@nestjs/common';
import { Keyring } from '../../platform/index.js';

export interface EventCursor {
  /** The last event read or skipped; 0: none. */
  readonly position: number;
  /** Null: no event is at that position. */
  readonly eventId: string | null;
}

const PREFIX = 'evc_';
const PURPOSE = 'events.cursor';
const POSITION_BYTES = 8;
const ID_BYTES = 16;
const NO_ID = '0'.repeat(2 * ID_BYTES);
const CURSOR_PATTERN = /^evc_[A-Za-z0-9_-]{1,80}$/;

/** Cursors are sealed, of equal length, and equal for equal positions. */
@Injectable()
export class EventCursors {
  constructor(private readonly keyring: Keyring) {}

  write({ position, eventId }: EventCursor): string {
    const bytes = Buffer.alloc(POSITION_BYTES + ID_BYTES);
    bytes.writeBigUInt64BE(BigInt(position));
    bytes.write(eventId?.slice('evt_'.length) ?? NO_ID, POSITION_BYTES, 'hex');
    return PREFIX + this.keyring.sealToken(bytes, PURPOSE);
  }

  /** Null if this service did not issue the cursor. */
  read(text: string): EventCursor | null {
    if (!CURSOR_PATTERN.test(text)) return null;
    const token = text.slice(PREFIX.length);
    const bytes = this.keyring.openToken(token, PURPOSE);
    if (!bytes) return null;
    const id = bytes.toString('hex', POSITION_BYTES);
    return {
      position: Number(bytes.readBigUInt64BE()),
      eventId: id === NO_ID ? null : `evt_${id}`,
    };
  }
}
