import { Client } from 'pg';

/** Creates an empty database on a server and returns its URL. */
export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  const client = await connected(serverUrl);
  try {
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** A connection to a database; the caller ends it. */
export async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}
