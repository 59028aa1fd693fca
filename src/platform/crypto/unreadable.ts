/** What is kept cannot be opened: it was altered, or sealed under a key that this process lacks. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

/** To catch with, where what can still be read is wanted. */
export function nullWhenUnreadable(error: unknown): null {
  if (error instanceof Unreadable) return null;
  throw error;
}
