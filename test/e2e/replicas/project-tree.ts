import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/free-port.js';

interface Lock {
  packages: Record<string, { dev?: boolean; bin?: Record<string, string> }>;
}

interface Started {
  readonly baseUrl: string;
  signal(signal: NodeJS.Signals): Promise<void>;
  isGone(): Promise<boolean>;
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const RUN_FROM = ['package.json', 'config', 'views', 'data', 'docs'];
const READY_MS = 90_000;

export class ProjectTree {
  private readonly path = mkdtempSync(join(tmpdir(), 'rinpath-tree-'));
  private readonly running = new Set<ChildProcess>();

  private constructor(parts: readonly string[]) {
    // Under root, PostgreSQL runs as the user postgres, who needs access.
    chmodSync(this.path, 0o755);
    for (const part of parts) cpSync(join(ROOT, part), join(this.path, part), { recursive: true });
  }

  static asPruned(): ProjectTree {
    const tree = new ProjectTree([...RUN_FROM, 'dist']);
    const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock;
    for (const [index, { dev, bin = {} }] of Object.entries(packages)) {
      const isDirect = /^node_modules\/(@[^/]+\/)?[^/]+$/.test(index);
      // Optional packages of other systems are missing.
      if (dev || !isDirect || !existsSync(join(ROOT, index))) continue;
      tree.link(index, index);
      for (const [name, file] of Object.entries(bin)) {
        tree.link(join(index, file), join('node_modules/.bin', name));
      }
    }
    return tree;
  }

  /** Runs `npm start` until the service is ready. @throws Error with the output if it does not start */
  async start(variables: Record<string, string>): Promise<Started> {
    const port = await freePort();
    const baseUrl = `http://127.0.0.1:${port}`;
    const npm = spawn('npm', ['start'], {
      cwd: this.path,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A separate process group, so that its children can be ended with it.
      detached: true,
      env: { ...environment(), ...variables, PORT: String(port), BASE_URL: baseUrl },
    });
    this.running.add(npm);
    const output: string[] = [];
    for (const stream of [npm.stdout, npm.stderr]) {
      stream.on('data', (chunk: Buffer) => output.push(chunk.toString('utf8')));
    }
    const ended = once(npm, 'exit');
    const isReady = async () => {
      if (npm.exitCode !== null) throw new Error(`npm start ended:\n${output.join('')}`);
      return (await statusOf(`${baseUrl}/health/ready`)) === 200;
    };
    await eventually(isReady, { withinMs: READY_MS, everyMs: 200 });
    return {
      baseUrl,
      signal: async (signal) => {
        npm.kill(signal);
        await ended;
      },
      isGone: async () => (await statusOf(`${baseUrl}/health/live`)) === null,
    };
  }

  /** Runs npm to its end; returns the output. @throws Error if it fails */
  run(parameters: readonly string[], variables: Record<string, string>): string {
    const { status, stdout, stderr } = spawnSync('npm', parameters, {
      cwd: this.path,
      encoding: 'utf8',
      env: { ...environment(), ...variables },
    });
    if (status !== 0) throw new Error(`npm ${parameters.join(' ')}: ${status}\n${stdout}${stderr}`);
    return stdout;
  }

  async remove(): Promise<void> {
    for (const { pid } of this.running) endGroup(pid!);
    await eventually(() => {
      rmSync(this.path, { recursive: true, force: true });
      return true;
    });
  }

  private link(from: string, to: string): void {
    const at = join(this.path, to);
    mkdirSync(dirname(at), { recursive: true });
    symlinkSync(join(ROOT, from), at);
  }
}

function environment(): NodeJS.ProcessEnv {
  const { PATH = '', HOME, TMPDIR, LANG } = process.env;
  const folders = PATH.split(delimiter).filter((folder) => !folder.includes('node_modules'));
  return { PATH: folders.join(delimiter), HOME, TMPDIR, LANG, LOG_LEVEL: 'warn' };
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has ended already.
  }
}

async function statusOf(url: string): Promise<number | null> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return null;
  }
}
