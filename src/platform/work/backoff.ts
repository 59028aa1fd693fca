/**
 * The wait before try `attempt + 1`: doubles from `firstMs` up to `maxMs`, plus up to `jitter` of
 * itself so that retries spread.
 */
export function exponentialBackoff(
  attempt: number,
  bounds: { firstMs: number; maxMs: number; jitter: number },
  fraction: number,
): number {
  const wait = Math.min(bounds.firstMs * 2 ** Math.max(0, attempt - 1), bounds.maxMs);
  return Math.round(wait * (1 + bounds.jitter * fraction));
}
