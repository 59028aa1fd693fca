import type { AuditRoot } from '../store/audit-root.entity.js';

/** A transaction's limit; the next tree has the rest. */
export const MAX_LEAVES = 50_000;

export const DAY_MS = 86_400_000;

/** In India. */
export function beginningOf(day: string): number {
  return Date.parse(`${day}T00:00:00+05:30`);
}

/**
 * Each root covers what has grown since the last closed day began, so anything older is under the
 * roots before.
 */
export class RootDays {
  private readonly byNumber = new Map<number, number>();
  private last = Number.NEGATIVE_INFINITY;

  /** @param roots oldest first */
  constructor(roots: readonly Pick<AuditRoot, 'number' | 'day' | 'treeSize'>[]) {
    for (const { number, day, treeSize } of roots) {
      this.byNumber.set(number, this.last);
      if (treeSize < MAX_LEAVES) this.last = beginningOf(day);
    }
  }

  /**
   * The earliest time of the entries that a root covers first; without a number, of entries under
   * no root.
   */
  notBefore(number?: number): number {
    return number === undefined ? this.last : (this.byNumber.get(number) ?? this.last);
  }
}
