import { spawnSync } from 'node:child_process';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { run } from '../support/run-statement.ts';
import { RunningProcess } from '../support/needed-process.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

/** The version from which named statements pass through in transaction mode. */
const KEEPS_STATEMENTS_FROM = [1, 21] as const;

/** A PgBouncer in transaction mode before every database of a server. */
export class PgBouncer {
  readonly url: string;
  readonly version: string;
  private readonly folder: string;
  private readonly process: RunningProcess;

  private constructor(url: string, version: string, folder: string, child: RunningProcess) {
    this.url = url;
    this.version = version;
    this.folder = folder;
    this.process = child;
  }

  /** @throws Error when it is not there */
  static async before(serverUrl: string, binary: string): Promise<PgBouncer> {
    const version = versionOf(binary);
    const port = await freePort();
    const folder = scratchFolder('rinpath-pooler-');
    chmodSync(folder, 0o755);
    const file = join(folder, 'pgbouncer.ini');
    writeFileSync(file, settings(serverUrl, port, version));
    const isRoot = process.getuid?.() === 0;
    // It does not run as root.
    const user = isRoot ? ['-u', 'postgres'] : [];
    const child = new RunningProcess('PgBouncer', binary, [...user, file], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const url = new URL(serverUrl);
    url.port = String(port);
    const pooler = new PgBouncer(url.href, version, folder, child);
    try {
      await eventually(() => run(url.href, 'SELECT 1'));
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
    await this.process.terminate();
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
