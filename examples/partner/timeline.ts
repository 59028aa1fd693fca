export type Actor = 'partner' | 'applicant' | 'service' | 'webhook';

const ACTOR_WIDTH = 10;

/** Prints events as lines, with the seconds since the start. */
export class Timeline {
  readonly #startedAt = performance.now();

  tell(actor: Actor, what: string): void {
    this.#print(actor.padEnd(ACTOR_WIDTH), what);
  }

  mark(symbol: '✓' | '✗', what: string): void {
    this.#print(symbol.padStart(ACTOR_WIDTH - 1) + ' ', what);
  }

  heading(title: string): void {
    console.log(`\n${title}`);
  }

  #print(column: string, what: string): void {
    const seconds = ((performance.now() - this.#startedAt) / 1000).toFixed(1);
    console.log(`+${seconds.padStart(6)}s  ${column} ${what}`);
  }
}
