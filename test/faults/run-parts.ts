import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, QueryResultRow } from 'pg';
import type { Partner } from './partner.ts';
import type { Replica } from './replica.ts';

/** The outcome of a run, which passed when there are no findings. */
export interface FaultReport {
  readonly findings: readonly string[];
  readonly figures: Readonly<Record<string, number>>;
}

/** Starts the items one by one, spread over `withinMs`. */
export async function spread<Item>(
  items: readonly Item[],
  withinMs: number,
  begin: (item: Item) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all(
    items.map(async (item, index) => {
      const waitMs = (withinMs / items.length) * index;
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
      await begin(item);
    }),
  );
}

interface Settling {
  readonly look: () => Promise<{ readonly isSettled: boolean; readonly progress: string }>;
  readonly leap: () => Promise<void>;
  readonly withinMs: number;
  /** Milliseconds without progress after which time is moved. */
  readonly stillMs: () => number;
}

/**
 * Waits until all work has ended. Moves time past leases and retries, but only when nothing progresses: otherwise it
 * would skip deadlines.
 */
export async function settle({ look, leap, withinMs, stillMs }: Settling): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  let last = '';
  let progressedAt = performance.now();
  while (performance.now() < deadline) {
    const { isSettled, progress } = await look();
    if (isSettled) return true;
    if (progress !== last) progressedAt = performance.now();
    else if (performance.now() - progressedAt > stillMs()) {
      await leap();
      progressedAt = performance.now();
    }
    last = progress;
    await sleep(100);
  }
  return false;
}

/**
 * Stops the replicas first, so that errors during the shutdown count.
 * @returns logged errors without any of the `ignored` words
 */
export async function stopReplicas(
  replicas: readonly Replica[],
  ignored: readonly string[],
): Promise<string[]> {
  const stops = await Promise.allSettled(replicas.map((replica) => replica.stop()));
  return [
    ...stops.flatMap((stop) => (stop.status === 'rejected' ? [String(stop.reason)] : [])),
    ...replicas.flatMap(({ name, errors }) =>
      errors
        .filter((line) => !ignored.some((words) => line.includes(words)))
        .map((line) => `${name} logged ${line}`),
    ),
  ];
}

export function countOver(items: readonly { readonly isOver: boolean }[]): number {
  return items.filter(({ isOver }) => isOver).length;
}

export function callFigures({ outcomes }: Partner): Record<string, number> {
  return {
    calls: [...outcomes.values()].reduce((sum, count) => sum + count, 0),
    conflicts: outcomes.get('409') ?? 0,
    unavailable: outcomes.get('503') ?? 0,
    lost: outcomes.get('LOST') ?? 0,
  };
}

export function secondsSince(startedAt: number): number {
  return Math.round((performance.now() - startedAt) / 1_000);
}

/** Collects the expectations that were not met. */
export abstract class Findings {
  readonly findings: string[] = [];
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  protected check(isTrue: boolean, finding: string): void {
    if (!isTrue) this.findings.push(finding);
  }

  protected async query<Row extends QueryResultRow>(
    sql: string,
    values: unknown[] = [],
  ): Promise<Row[]> {
    return (await this.#pool.query<Row>(sql, values)).rows;
  }
}
