import type { Client } from 'pg';
import { built } from '../support/built-service.ts';

type Forms = typeof import('../../src/partitions/partitioned-table.js');
type Attempts = typeof import('../../src/webhooks/store/delivery-upkeep.repository.js');
type Calls = typeof import('../../src/request-log/store/partner-requests.repository.js');
export type Partitioned = Attempts['ATTEMPT_WEEKS'];

const DAY_MS = 86_400_000;

/** A partition; its time in milliseconds. */
export interface Part {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** The log of attempts, in weekly partitions. */
export async function ATTEMPTS(): Promise<Partitioned> {
  return (await built<Attempts>('src/webhooks/store/delivery-upkeep.repository.js')).ATTEMPT_WEEKS;
}

/** The log of calls, in daily partitions. */
export async function CALLS(): Promise<Partitioned> {
  const path = 'src/request-log/store/partner-requests.repository.js';
  return (await built<Calls>(path)).PARTNER_REQUEST_DAYS;
}

/**
 * Makes the partitions of the last `days` days as the service would have; keeps existing ones.
 * @returns all partitions of that time, oldest first
 */
export async function makePartitions(
  client: Client,
  table: Partitioned,
  days: number,
  until = Date.now(),
): Promise<Part[]> {
  const { keyAt, partitionName, rangesFrom } = await built<Forms>(
    'src/partitions/partitioned-table.js',
  );
  const parts: Part[] = [];
  let [range] = rangesFrom(table, until - days * DAY_MS);
  for (; range && range.from < until; [range] = rangesFrom(table, range.to)) {
    const name = partitionName(table, range);
    await client.query(
      `CREATE TABLE IF NOT EXISTS ${name} PARTITION OF ${table.name}
       FOR VALUES FROM ('${keyAt(table, range.from)}') TO ('${keyAt(table, range.to)}')`,
    );
    parts.push({ ...range, name });
  }
  return parts;
}
