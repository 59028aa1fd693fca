import type { Timeline } from './timeline.ts';

/** Records all checks: each is one line with ✓ or ✗. */
export class Checks {
  readonly #timeline: Timeline;
  #passed = 0;
  #failed = 0;

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  get failed(): number {
    return this.#failed;
  }

  /** Records one check and continues in any case, so that one run shows every fault. */
  that(holds: boolean, what: string, seen?: unknown): boolean {
    if (holds) {
      this.#passed += 1;
      this.#timeline.mark('✓', what);
    } else {
      this.#failed += 1;
      const detail = seen === undefined ? '' : ` (seen: ${JSON.stringify(seen)})`;
      this.#timeline.mark('✗', what + detail);
    }
    return holds;
  }

  /** Compares JSON texts, which is enough for an API's plain values. */
  same(seen: unknown, wanted: unknown, what: string): boolean {
    return this.that(JSON.stringify(seen) === JSON.stringify(wanted), what, seen ?? null);
  }

  fail(what: string): void {
    this.that(false, what);
  }

  summary(): string {
    return `${this.#passed} passed, ${this.#failed} failed`;
  }
}
