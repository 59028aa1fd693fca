import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { builtService } from '../../support/built-service.js';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/free-port.js';
import {
  NeededProcess,
  plainEnvironment,
  ROOT,
  RunningProcess,
} from '../../support/needed-process.js';
import { scratchFolder } from '../../support/scratch-folder.js';

/** A data folder that other users may enter, unless `mode` forbids it. */
export class DataDir {
  readonly path = scratchFolder('rinpath-embedded-');

  constructor({ uid, mode = 0o755 }: { uid?: number; mode?: number } = {}) {
    chmodSync(this.path, mode);
    if (uid !== undefined) chownSync(this.path, uid, uid);
  }

  postmasterPid(): number | null {
    try {
      const file = readFileSync(join(this.path, 'postgres', 'postmaster.pid'), 'utf8');
      return Number(file.split('\n')[0]);
    } catch {
      return null;
    }
  }

  async untilStopped(): Promise<void> {
    await eventually(() => this.postmasterPid() === null, { withinMs: 25_000 });
  }

  async remove(): Promise<void> {
    await this.untilStopped().catch(() => {
      const pid = this.postmasterPid();
      if (pid !== null && isAlive(pid)) process.kill(pid, 'SIGKILL');
    });
    rmSync(this.path, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  }
}

async function addressed(dataDir: string): Promise<{ baseUrl: string; env: NodeJS.ProcessEnv }> {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const env = { PORT: String(port), BASE_URL: baseUrl, DATA_DIR: dataDir, LOG_LEVEL: 'warn' };
  return { baseUrl, env };
}

/** Starts the built service with its own PostgreSQL; waits until it is ready. */
export async function startEmbedded(
  dataDir: string,
): Promise<{ baseUrl: string; process: NeededProcess }> {
  const { baseUrl, env } = await addressed(dataDir);
  const started = new NeededProcess('The service', [await builtService()], env);
  await started.ready();
  return { baseUrl, process: started };
}

/** Runs `npm start` with the build and without development dependencies; waits until it is ready. */
export async function npmStart(
  dataDir: string,
): Promise<{ baseUrl: string; process: RunningProcess; end: () => void }> {
  const tree = scratchFolder('rinpath-tree-');
  cpSync(join(ROOT, 'package.json'), join(tree, 'package.json'));
  mkdirSync(join(tree, 'node_modules'));
  for (const part of ['config', 'dist', 'node_modules/.bin'])
    symlinkSync(join(ROOT, part), join(tree, part));
  const { baseUrl, env } = await addressed(dataDir);
  const started = new RunningProcess('npm start', 'npm', ['start'], {
    cwd: tree,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...plainEnvironment(), ...env },
    // A process group, so that its remaining processes can be killed together.
    detached: true,
  });
  const isReady = async () => {
    if (!started.isRunning) throw new Error(`npm start ended:\n${started.output}`);
    return (await fetch(`${baseUrl}/health/ready`)).ok;
  };
  await eventually(isReady, { withinMs: 60_000 });
  const end = () => {
    if (started.isRunning) process.kill(-started.pid, 'SIGKILL');
    rmSync(tree, { recursive: true });
  };
  return { baseUrl, process: started, end };
}

/** A process that starts only the embedded PostgreSQL, and stops it on SIGTERM. */
export async function startHost(dataDir: string, uid: number): Promise<NeededProcess> {
  const host = new NeededProcess(
    'PostgreSQL',
    ['--input-type=module', '--eval', HOST],
    { DATA_DIR: dataDir },
    { uid, gid: uid },
  );
  await host.ready();
  return host;
}

const HOST = `
  const { startEmbeddedPostgres } =
    await import('./dist/src/platform/database/embedded/embedded-postgres.js');
  const server = await startEmbeddedPostgres({ dataDir: process.env.DATA_DIR });
  process.once('SIGTERM', () => server.stop().then(() => process.exit(0)));
  process.send('ready');
`;

export function isAlive(pid: number): boolean {
  try {
    // A zombie is not alive.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

export function parentOf(pid: number): number {
  return numberIn(pid, /^PPid:\s+(\d+)$/m);
}

export function ownerOf(pid: number): number {
  return numberIn(pid, /^Uid:\s+(\d+)/m);
}

function numberIn(pid: number, pattern: RegExp): number {
  return Number(pattern.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
