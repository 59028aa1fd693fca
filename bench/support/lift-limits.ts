import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';

/** Removes the load key's limits; waits until services on this database see its new version. */
export async function liftLimits(client: Client): Promise<void> {
  await client.query(
    `UPDATE api_keys SET minute_limit = 100000000, day_limit = 100000000, version = version + 1
     WHERE name = 'demo-load'`,
  );
  await sleep(1_500);
}
