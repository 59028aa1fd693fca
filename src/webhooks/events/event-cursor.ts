import { Injectable } from '@nestjs/common';
import { Keyring } from '../../platform/index.js';

/** How far a partner has read its stream of events. */
export interface EventCursor {
  /** Of the last event that was read, or passed over; 0: none. */
  readonly position: number;
  /** That event's id; null: none is at that position. */
  readonly eventId: string | null;
}

const PREFIX = 'evc_';
const PURPOSE = 'events.cursor';
const POSITION_BYTES = 8;
const ID_BYTES = 16;
const NO_ID = '0'.repeat(2 * ID_BYTES);
const WRITTEN = /^evc_[A-Za-z0-9_-]{1,80}$/;

/** Cursors as partners get them: sealed, all of one length, the same for the same place. */
@Injectable()
export class EventCursors {
  constructor(private readonly keyring: Keyring) {}

  write({ position, eventId }: EventCursor): string {
    const bytes = Buffer.alloc(POSITION_BYTES + ID_BYTES);
    bytes.writeBigUInt64BE(BigInt(position));
    bytes.write(eventId?.slice('evt_'.length) ?? NO_ID, POSITION_BYTES, 'hex');
    return PREFIX + this.keyring.sealToken(bytes, PURPOSE);
  }

  /** Null for a text that was never given out as a cursor. */
  read(text: string): EventCursor | null {
    if (!WRITTEN.test(text)) return null;
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
