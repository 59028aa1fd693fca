import { describe, expect, it } from 'vitest';
import { Keyring } from '../../platform/index.js';
import { EventCursors } from './event-cursor.js';

const key = (name: string, byte: number) => ({ name, bytes: Buffer.alloc(32, byte) });
const [OLD, NEW] = [key('k1', 7), key('k2', 9)];
const EVENT = 'evt_01a1fcf153ae76b2be3e2ab68ffc4d07';
const PLACES = [
  { position: 0, eventId: null },
  { position: 42, eventId: null },
  { position: 42, eventId: EVENT },
  { position: 987_654_321, eventId: EVENT },
];

describe('a cursor', () => {
  const cursors = new EventCursors(new Keyring([NEW]));

  it.each(PLACES)('of %j is read back, by every replica the same', (place) => {
    expect(cursors.read(cursors.write(place))).toEqual(place);
    expect(new EventCursors(new Keyring([NEW])).write(place)).toBe(cursors.write(place));
  });

  it('tells nothing: neither by what is in it nor by its length', () => {
    for (const place of PLACES) {
      const cursor = cursors.write(place);
      expect(cursor).toMatch(/^evc_[A-Za-z0-9_-]{70}$/);
      const inside = Buffer.from(cursor.slice(4), 'base64url');
      expect(inside.includes(String(place.position))).toBe(false);
      expect(inside.includes(Buffer.from(EVENT.slice(4), 'hex'))).toBe(false);
    }
  });

  it('is read as long as its master key is in the ring', () => {
    const cursor = new EventCursors(new Keyring([OLD])).write(PLACES[2]);
    expect(new EventCursors(new Keyring([NEW, OLD])).read(cursor)).toEqual(PLACES[2]);
    expect(cursors.read(cursor)).toBeNull();
  });

  it('is null when it was altered, cut or made up', () => {
    const cursor = cursors.write(PLACES[2]);
    const altered = cursor.slice(0, 20) + (cursor[20] === 'A' ? 'B' : 'A') + cursor.slice(21);
    for (const other of [altered, cursor.slice(0, -1), `${cursor}A`, 'evc_', 'evc_MQ', '', '1']) {
      expect([other, cursors.read(other)]).toEqual([other, null]);
    }
  });
});
