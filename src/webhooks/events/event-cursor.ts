/** How far a partner has read its stream of events. */
export interface EventCursor {
  /** Of the last event that was read, or passed over; 0: none. */
  readonly position: number;
  /** That event's id; null: none is at that position. */
  readonly eventId: string | null;
}

const PREFIX = 'evc_';
const WRITTEN = /^evc_[A-Za-z0-9_-]{1,80}$/;
const INSIDE = /^(0|[1-9]\d{0,14})\.((?:evt_[0-9a-f]{32})?)$/;

/** Opaque to partners, so that it can be changed. */
export function writeCursor({ position, eventId }: EventCursor): string {
  return PREFIX + Buffer.from(`${position}.${eventId ?? ''}`).toString('base64url');
}

/** Null for a text that `writeCursor` has not written. */
export function readCursor(text: string): EventCursor | null {
  if (!WRITTEN.test(text)) return null;
  const inside = INSIDE.exec(Buffer.from(text.slice(PREFIX.length), 'base64url').toString());
  if (!inside) return null;
  const cursor = { position: Number(inside[1]), eventId: inside[2] || null };
  return writeCursor(cursor) === text ? cursor : null;
}
