import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { builtService } from '../../support/built-service.js';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/free-port.js';
import { scratchFolder } from '../../support/scratch-folder.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const READY_MS = 90_000;
const END_MS = 25_000;

interface EmbeddedOptions {
  dataDir: string;
  uid?: number;
}

export class EmbeddedService {
  readonly baseUrl: string;
  private readonly chunks: Buffer[] = [];
  private readonly ended: Promise<void>;

  private constructor(
    private readonly child: ChildProcess,
    port: number,
  ) {
    this.baseUrl = `http://127.0.0.1:${port}`;
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.on('data', (chunk: Buffer) => this.chunks.push(chunk));
    }
    this.ended = new Promise((resolve) => child.once('close', () => resolve()));
    const killAtExit = () => child.kill('SIGKILL');
    process.once('exit', killAtExit);
    void this.ended.then(() => process.removeListener('exit', killAtExit));
  }

  static async launch({ dataDir, uid }: EmbeddedOptions): Promise<EmbeddedService> {
    const port = await freePort();
    const mainFile = await builtService();
    const child = spawn(process.execPath, [mainFile], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(uid !== undefined && { uid, gid: uid }),
      env: {
        PATH: process.env.PATH,
        PORT: String(port),
        BASE_URL: `http://127.0.0.1:${port}`,
        DATA_DIR: dataDir,
        LOG_LEVEL: 'warn',
      },
    });
    return new EmbeddedService(child, port);
  }

  static async start(options: EmbeddedOptions): Promise<EmbeddedService> {
    const service = await EmbeddedService.launch(options);
    await service.untilReady();
    return service;
  }

  get pid(): number {
    return this.child.pid!;
  }

  output(): string {
    return Buffer.concat(this.chunks).toString('utf8');
  }

  async untilReady(): Promise<void> {
    const deadline = performance.now() + READY_MS;
    while (performance.now() < deadline && this.child.exitCode === null) {
      if (await this.isReady()) return;
      await sleep(100);
    }
    this.child.kill('SIGKILL');
    throw new Error(`The service did not become ready:\n${this.output()}`);
  }

  async isReady(): Promise<boolean> {
    try {
      const answer = await fetch(`${this.baseUrl}/health/ready`, {
        signal: AbortSignal.timeout(2_000),
      });
      await answer.body?.cancel();
      return answer.status === 200;
    } catch {
      return false;
    }
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  stop(): Promise<number | null> {
    this.child.kill('SIGTERM');
    return this.exitCode();
  }

  async exitCode(): Promise<number | null> {
    const inTime = await Promise.race([this.ended.then(() => true), sleep(END_MS, false)]);
    if (inTime) return this.child.exitCode;
    this.child.kill('SIGKILL');
    throw new Error(`The service did not end:\n${this.output()}`);
  }
}

/** A process that starts only the embedded PostgreSQL, and stops it on SIGTERM. */
export class PostgresHost {
  private readonly child: ChildProcess;
  private readonly ended: Promise<unknown>;

  private constructor(child: ChildProcess) {
    this.child = child;
    this.ended = once(child, 'exit');
  }

  /** @throws Error if PostgreSQL does not start */
  static async start({ dataDir, uid }: Required<EmbeddedOptions>): Promise<PostgresHost> {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', HOST], {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      uid,
      gid: uid,
      env: { PATH: process.env.PATH, DATA_DIR: dataDir },
    });
    const host = new PostgresHost(child);
    const isReady = await Promise.race([
      once(child, 'message').then(() => true),
      host.ended.then(() => false),
    ]);
    if (!isReady) throw new Error(`The process of user ${uid} ended with ${child.exitCode}.`);
    return host;
  }

  get pid(): number {
    return this.child.pid!;
  }

  async stop(): Promise<number | null> {
    this.child.kill('SIGTERM');
    await this.ended;
    return this.child.exitCode;
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}

const HOST = `
  const { startEmbeddedPostgres } =
    await import('./dist/src/platform/database/embedded/embedded-postgres.js');
  const server = await startEmbeddedPostgres({ dataDir: process.env.DATA_DIR });
  process.once('SIGTERM', () => server.stop().then(() => process.exit(0)));
  process.send('ready');
`;

export class DataDir {
  readonly path: string;

  constructor({ uid, mode = 0o755 }: { uid?: number; mode?: number } = {}) {
    this.path = scratchFolder('rinpath-embedded-');
    chmodSync(this.path, mode);
    if (uid !== undefined) chownSync(this.path, uid, uid);
  }

  get pidFile(): string {
    return join(this.path, 'postgres', 'postmaster.pid');
  }

  postmasterPid(): number | null {
    try {
      return Number(readFileSync(this.pidFile, 'utf8').split('\n')[0]);
    } catch {
      return null;
    }
  }

  async untilStopped(): Promise<void> {
    await eventually(() => this.postmasterPid() === null, { withinMs: END_MS });
  }

  async remove(): Promise<void> {
    await this.untilStopped().catch(() => {
      const pid = this.postmasterPid();
      if (pid !== null && isAlive(pid)) process.kill(pid, 'SIGKILL');
    });
    rmSync(this.path, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  }
}

export function isAlive(pid: number): boolean {
  try {
    // A zombie process is no longer alive.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

export function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);
}

export function ownerOf(pid: number): number {
  return Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);
}
