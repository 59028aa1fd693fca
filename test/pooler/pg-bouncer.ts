import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

/** The first version that supports prepared statements in transaction mode. */
const KEEPS_STATEMENTS_FROM = [1, 21] as const;

/** A PgBouncer in transaction mode before every database of a server. */
export class PgBouncer {
  readonly url: string;
  readonly version: string;
  private readonly folder: string;
  private readonly process: ChildProcess;

  private constructor(url: string, version: string, folder: string, child: ChildProcess) {
    this.url = url;
    this.version = version;
    this.folder = folder;
    this.process = child;
  }

  /** @throws Error if the binary is missing */
  static async before(serverUrl: string, binary: string): Promise<PgBouncer> {
    const version = versionOf(binary);
    const port = await freePort();
    const folder = scratchFolder('rinpath-pooler-');
    chmodSync(folder, 0o755);
    const file = join(folder, 'pgbouncer.ini');
    writeFileSync(file, settings(serverUrl, port, version));
    const isRoot = process.getuid?.() === 0;
    // PgBouncer refuses to run as root.
    const child = spawn(binary, [...(isRoot ? ['-u', 'postgres'] : []), file], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const url = new URL(serverUrl);
    url.port = String(port);
    const pooler = new PgBouncer(url.href, version, folder, child);
    try {
      await eventually(() => connects(port));
      return pooler;
    } catch (error) {
      await pooler.stop();
      throw error;
    }
  }

  get keepsStatements(): boolean {
    return keepsStatements(this.version);
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    const isRunning = this.process.exitCode === null && this.process.signalCode === null;
    if (isRunning && this.process.kill('SIGTERM')) await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function versionOf(binary: string): string {
  const { stdout } = spawnSync(binary, ['--version'], { encoding: 'utf8' });
  const version = /PgBouncer (\S+)/.exec(stdout ?? '')?.[1];
  if (version === undefined) throw new Error(`${binary} is not there: install PgBouncer`);
  return version;
}

function keepsStatements(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [fromMajor, fromMinor] = KEEPS_STATEMENTS_FROM;
  return major > fromMajor || (major === fromMajor && minor >= fromMinor);
}

function settings(serverUrl: string, port: number, version: string): string {
  const { hostname, port: serverPort, username } = new URL(serverUrl);
  return `
[databases]
* = host=${hostname} port=${serverPort} user=${username}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 1000
default_pool_size = 6
server_idle_timeout = 5
log_connections = 0
log_disconnections = 0
${keepsStatements(version) ? 'max_prepared_statements = 200' : ''}
`;
}

function connects(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => socket.destroy());
  });
}
