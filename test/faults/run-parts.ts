import { setTimeout as sleep } from 'node:timers/promises';
import { Pool, type QueryResultRow } from 'pg';
import { Partner } from './partner.ts';
import { type CreateReplica, type Replica, ReplicaProcess } from './replica.ts';

/** The outcome of a run, which passed if there are no findings. */
export interface FaultReport {
  readonly findings: readonly string[];
  readonly figures: Readonly<Record<string, number>>;
}

export function createReplicas(
  count: number,
  name: string,
  databaseUrl: string,
  env: Readonly<Record<string, string>> = {},
  create: CreateReplica = (...of) => ReplicaProcess.create(...of),
): Promise<Replica[]> {
  const names = Array.from({ length: count }, (_, index) => `${name}${index + 1}`);
  return Promise.all(names.map((one) => create(one, namedUrl(databaseUrl, one), env)));
}

/** Names the connections in `pg_stat_activity`. */
function namedUrl(databaseUrl: string, name: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set('application_name', name);
  return url.href;
}

/** A pool that survives a server that stops or is lost. */
export function openPool(connectionString: string): Pool {
  return new Pool({ connectionString, max: 2 }).on('error', () => undefined);
}

export async function subscribe(
  partner: Partner,
  replica: Replica,
  url: string,
): Promise<{ subscriptionId: string; secret: string }> {
  const call = { method: 'POST', path: '/webhooks', body: { url } } as const;
  const outcome = await partner.call(replica, call);
  if (outcome.kind === 'ANSWERED' && outcome.status === 200) {
    return outcome.json.data as { subscriptionId: string; secret: string };
  }
  throw new Error(`the subscription failed: ${JSON.stringify(outcome)}`);
}

/** Starts the items one after the other, all within `withinMs`. */
export async function spread<Item>(
  items: readonly Item[],
  withinMs: number,
  begin: (item: Item) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  await Promise.all(
    items.map(async (item, index) => {
      const waitMs = (withinMs / items.length) * index;
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
      await begin(item);
    }),
  );
}

/**
 * Stops the replicas, so that their last work counts, too.
 * @returns the errors that they logged, except those with `ignored` words
 */
export async function stopReplicas(
  replicas: readonly Replica[],
  ignored: readonly string[] = [],
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

export function leap(pool: Pool, milliseconds: number) {
  return pool.query('UPDATE sandbox_clock SET offset_ms = offset_ms + $1', [milliseconds]);
}

export function countOver(items: readonly { readonly isOver: boolean }[]): number {
  return items.filter(({ isOver }) => isOver).length;
}

export function callFigures({ outcomes }: Partner): Record<string, number> {
  return {
    calls: [...outcomes.values()].reduce((sum, count) => sum + count, 0),
    conflicts: outcomes.get('409') ?? 0,
    unavailable: outcomes.get('503') ?? 0,
  };
}

export function secondsSince(startedAt: number): number {
  return Math.round((performance.now() - startedAt) / 1_000);
}

/** The findings of a check; each line is a violation. */
export abstract class Findings {
  readonly findings: string[] = [];
  private readonly pool: Pool;

  constructor(pool: Pool) {
    this.pool = pool;
  }

  protected check(isTrue: boolean, finding: string): void {
    if (!isTrue) this.findings.push(finding);
  }

  protected async query<Row extends QueryResultRow>(
    sql: string,
    values: unknown[] = [],
  ): Promise<Row[]> {
    return (await this.pool.query<Row>(sql, values)).rows;
  }
}
