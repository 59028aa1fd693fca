import type { Database } from './database.ts';
import type { World } from './world.ts';

/** Faults that can be ordered. @see README.md for the effect of each */
export const FAULT_KINDS = [
  'slow',
  'silent',
  'unavailable',
  'too-many-requests',
  'error',
  'half-body',
  'oversized',
  'endless',
  'gzip-bomb',
  'unsigned',
  'wrong-signature',
  'other-key',
  'other-question',
  'stale-signature',
  'twice',
  'late',
  'late-poll',
  'out-of-order',
  'two-rupees-off',
  'wrong-types',
  'absurd-amounts',
  'html',
  'javascript-address',
  'varied',
] as const;

export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
  readonly kind: FaultKind;
  /** Duration of slow faults. */
  readonly seconds: number;
}

export interface FaultOrder {
  readonly lender: string;
  /** The last part of the address: `offers`, `answers`; `*` for any. */
  readonly message: string;
  readonly kind: FaultKind;
  /** How often; null: until it is removed. */
  readonly times: number | null;
  readonly seconds: number | null;
}

const DEFAULT_SECONDS: Partial<Record<FaultKind, number>> = {
  slow: 15,
  late: 3,
  'late-poll': 3,
  'too-many-requests': 2,
};

/** The choices of `varied`: everything that the protocol allows; null: a normal answer. */
const VARIED: readonly (FaultKind | null)[] = [
  null,
  'late',
  'late-poll',
  'out-of-order',
  'twice',
  'unavailable',
];

/** The ordered faults; they survive a restart. */
export class FaultSwitch {
  readonly #database: Database;
  readonly #world: World;

  constructor(database: Database, world: World) {
    this.#database = database;
    this.#world = world;
  }

  order({ lender, message, kind, times, seconds }: FaultOrder): void {
    this.#database.run(
      'INSERT INTO faults (lender, message, kind, times, seconds) VALUES (?, ?, ?, ?, ?)',
      [lender, message, kind, times, seconds],
    );
  }

  /** The fault for this message, if ordered; counts it down. */
  take(lender: string, message: string): Fault | null {
    const row = this.#database
      .all<{ number: number; kind: FaultKind; seconds: number | null }>(
        `SELECT number, kind, seconds FROM faults WHERE lender IN (?, '*') AND message IN (?, '*')
       ORDER BY number LIMIT 1`,
        [lender, message],
      )
      .at(0);
    if (!row) return null;
    this.#database.run('UPDATE faults SET times = times - 1 WHERE number = ?', [row.number]);
    this.#database.run('DELETE FROM faults WHERE times <= 0');
    const kind = row.kind === 'varied' ? this.#chosen() : row.kind;
    return kind && { kind, seconds: row.seconds ?? DEFAULT_SECONDS[kind] ?? 0 };
  }

  #chosen(): FaultKind | null {
    return VARIED[Math.floor(this.#world.chance() * VARIED.length)] ?? null;
  }

  list(): unknown[] {
    return this.#database.all('SELECT lender, message, kind, times, seconds FROM faults');
  }

  clear(): void {
    this.#database.run('DELETE FROM faults');
  }
}
