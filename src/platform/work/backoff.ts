/**
 * The wait before try number `attempt + 1`: doubling from `firstMs`, never more than `maxMs`,
 * lengthened by up to `jitter` of itself so that those who failed together do not return together.
 */
export function exponentialBackoff(
  attempt: number,
  bounds: { firstMs: number; maxMs: number; jitter: number },
  fraction: number,
): number {
  const wait = Math.min(bounds.firstMs * 2 ** Math.max(0, attempt - 1), bounds.maxMs);
  return Math.round(wait * (1 + bounds.jitter * fraction));
}
