/**
 * The service's overhead for a page. The built service alternates with a bare Express with hbs that has the same
 * templates, helpers and data. Each is a separate process, called on one connection. Only ratios within one run count.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { built, MASTER_KEY } from './support/built-service.ts';
import { compareInterleaved } from './support/interleaved.ts';
import { processorTime } from './support/process-figures.ts';
import { surroundings, table, writeReport } from './support/report.ts';

type Platform = typeof import('../src/platform/index.js');

const MAX_TIMES = 1.5;
const ROUNDS = 60;
const PAGES_A_ROUND = 50;
const PROCESSOR_PAGES = 3_000;
const READY_MS = 60_000;

interface Server {
  readonly pid: number;
  /** Requests the page `count` times in sequence; returns the bytes. */
  pages(count: number, encoding?: string): Promise<number>;
  stop(): void;
}

export async function run(): Promise<void> {
  const { startEmbeddedPostgres } = await built<Platform>('src/platform/index.js');
  const dataDir = mkdtempSync(join(tmpdir(), 'rinpath-bench-'));
  // As root, PostgreSQL runs as the user postgres, who must enter the folder.
  chmodSync(dataDir, 0o755);
  const postgres = await startEmbeddedPostgres({ dataDir });
  try {
    const service = await start('service', { DATABASE_URL: postgres.url, MASTER_KEY });
    const bare = await start('bare', {});
    try {
      await measure(service, bare);
    } finally {
      service.stop();
      bare.stop();
    }
  } finally {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function measure(service: Server, bare: Server): Promise<void> {
  const bytes = await service.pages(1);
  const compressed = await service.pages(1, 'gzip');
  const bareBytes = await bare.pages(1);
  if (Math.abs(bareBytes - bytes) > bytes / 20) {
    throw new Error(`not the same page: ${bareBytes} bytes against ${bytes}`);
  }
  const pages = (server: Server, encoding?: string) => () => server.pages(PAGES_A_ROUND, encoding);
  const times = await compareInterleaved(
    [
      { name: 'a page', small: pages(bare), large: pages(service) },
      {
        name: 'a page, compressed by the service alone',
        small: pages(bare),
        large: pages(service, 'gzip'),
      },
    ],
    ROUNDS,
  );
  const processor = [await processorMs(bare), await processorMs(service)] as const;
  const rows = times.map(({ name, small, large, ratio }) => [
    `${name}, ms`,
    (small / PAGES_A_ROUND).toFixed(3),
    (large / PAGES_A_ROUND).toFixed(3),
    ratio.toFixed(2),
  ]);
  rows.push([
    'processor of the server, ms a page',
    processor[0].toFixed(3),
    processor[1].toFixed(3),
    (processor[1] / processor[0]).toFixed(2),
  ]);
  const figures = table(['offers’ page', 'bare Express and hbs', 'the service', 'times'], rows);
  process.stdout.write(`${figures}\n`);
  writeReport('screens', report(figures, { bytes, compressed }));
  const ratio = times[0]?.ratio ?? Number.NaN;
  if (!(ratio <= MAX_TIMES)) {
    throw new Error(`the service takes ${ratio.toFixed(2)} times as long, more than ${MAX_TIMES}`);
  }
}

function report(figures: string, { bytes, compressed }: { bytes: number; compressed: number }) {
  return `## The offers’ page

${surroundings()}. Three offers and one lender without, the same templates, helpers and data in both; the bare
page is Express with \`hbs\` and nothing else, neither compression nor security headers. Asked in turns, ${PAGES_A_ROUND}
pages a turn on one connection, ${ROUNDS} turns; medians. The service’s own queries are not part of it.

${figures}

The page is ${bytes} bytes, ${compressed} compressed. Required: at most ${MAX_TIMES} times a bare page.`;
}

/** Milliseconds of a server's processor time per page. */
async function processorMs(server: Server): Promise<number> {
  const before = processorTime(server.pid);
  await server.pages(PROCESSOR_PAGES);
  return ((processorTime(server.pid) - before) * 1_000) / PROCESSOR_PAGES;
}

async function start(name: string, variables: Record<string, string>): Promise<Server> {
  const file = fileURLToPath(new URL(`pages/${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, [file], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { PATH: process.env.PATH, NODE_ENV: 'production', LOG_LEVEL: 'fatal', ...variables },
  });
  const stop = () => child.kill('SIGKILL');
  process.once('exit', stop);
  const { port } = await readyMessage(child);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    pid: child.pid ?? 0,
    stop: () => {
      agent.destroy();
      stop();
    },
    pages: async (count, encoding) => {
      let bytes = 0;
      for (let page = 0; page < count; page += 1) bytes = await load(port, agent, encoding);
      return bytes;
    },
  };
}

async function readyMessage(child: ChildProcess): Promise<{ port: number }> {
  const signal = AbortSignal.timeout(READY_MS);
  const [message] = (await once(child, 'message', { signal })) as [{ port: number }];
  return message;
}

function load(port: number, agent: Agent, encoding: string | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      Accept: 'text/html',
      'Accept-Language': 'en',
      ...(encoding && { 'Accept-Encoding': encoding }),
    };
    get({ port, host: '127.0.0.1', path: '/offers', agent, headers }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('end', () => {
        if (response.statusCode === 200) resolve(bytes);
        else reject(new Error(`the page answers ${response.statusCode}`));
      });
    }).on('error', reject);
  });
}
