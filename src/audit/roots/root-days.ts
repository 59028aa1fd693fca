import type { AuditRoot } from '../store/audit-root.entity.js';

/** A tree of more leaves would be too long for one transaction; what is left comes into the next one. */
export const MAX_LEAVES = 50_000;

export const DAY_MS = 86_400_000;

/** When a day in India begins. */
export function beginningOf(day: string): number {
  return Date.parse(`${day}T00:00:00+05:30`);
}

/**
 * How old the entries are that came under a root first. Each root looks for what has grown since the last day
 * that was closed began, so what is older is under the roots before it.
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

  /** The time before which none of those was written; for those under no root yet when left out. */
  notBefore(number?: number): number {
    return number === undefined ? this.last : (this.byNumber.get(number) ?? this.last);
  }
}
