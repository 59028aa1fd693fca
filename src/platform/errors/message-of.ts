/**
 * What an error says, for a person. Where a name has several addresses and nobody answers at any of
 * them, Node's error says nothing itself: its causes do.
 */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map(messageOf).join('; ');
  }
  return error instanceof Error ? error.message : String(error);
}
