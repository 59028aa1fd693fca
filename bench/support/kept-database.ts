import type { Client } from 'pg';
import { connected, createDatabase } from './create-database.ts';

/**
 * The URL of a database that is filled once: a server with kept data already has it. It gets its name when it is
 * complete.
 */
export async function keptDatabase(
  serverUrl: string,
  name: string,
  fill: (url: string) => Promise<void>,
): Promise<string> {
  const kept = new URL(serverUrl);
  kept.pathname = `/${name}`;
  if (await isThere(serverUrl, name)) return kept.href;
  const making = `${name}_making`;
  await runOn(serverUrl, (client) => client.query(`DROP DATABASE IF EXISTS ${making}`));
  await fill(await createDatabase(serverUrl, making));
  await runOn(serverUrl, (client) => client.query(`ALTER DATABASE ${making} RENAME TO ${name}`));
  return kept.href;
}

async function isThere(serverUrl: string, name: string): Promise<boolean> {
  const { rows } = await runOn(serverUrl, (client) =>
    client.query('SELECT FROM pg_database WHERE datname = $1', [name]),
  );
  return rows.length > 0;
}

async function runOn<Result>(
  url: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = await connected(url);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
