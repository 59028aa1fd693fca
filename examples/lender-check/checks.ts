import { isDeepStrictEqual } from 'node:util';
import type { Finding } from './case.ts';

const LONGEST_TEXT = 300;

/** Collects the findings of a case. */
export class Checks {
  readonly findings: Finding[] = [];

  /** Returns whether it holds, for follow-up checks. */
  that(holds: boolean, expected: string, seen: string): boolean {
    this.findings.push({ holds, expected: short(expected), seen: short(seen) });
    return holds;
  }

  equal(what: string, seen: unknown, expected: unknown): boolean {
    const holds = isDeepStrictEqual(seen, expected);
    return this.that(holds, `${what}: ${text(expected)}`, `${what}: ${text(seen)}`);
  }

  /** One finding for many items; it names the first that fails. */
  each<Item>(
    what: string,
    items: readonly Item[],
    problem: (item: Item) => string | null,
  ): boolean {
    for (const item of items) {
      const found = problem(item);
      if (found !== null) return this.that(false, what, found);
    }
    return this.that(true, what, `${items.length} looked at`);
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
}

function short(value: string): string {
  return value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value;
}
