/**
 * Checks a new user's first steps: starts the built service with the embedded database, runs the demonstration partner
 * against it, and stops it.
 *
 * With `--lenders` the lenders run outside the service, as `examples/lender`. With `--bruno` the collection in
 * `clients/bruno` runs instead of the demonstration. It exits with the demonstration's code, or 1 if another step failed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '../support/free-port.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { NeededProcess, plainEnvironment, ROOT } from '../support/needed-process.ts';
import { brunoCli } from './bruno-cli.ts';
import { RemoteLenders } from './remote-lenders.ts';

const DEMO_MS = 180_000;

const SERVICE = join(ROOT, 'dist/bundle/main.js');
const DEMO = join(ROOT, 'examples/partner/main.ts');
const COLLECTION = join(ROOT, 'clients/bruno');

const FLAG = { type: 'boolean', default: false } as const;
const { values: wanted } = parseArgs({ options: { lenders: FLAG, bruno: FLAG } });

async function runDemo(baseUrl: string): Promise<number> {
  const [program, cwd, args] = wanted.bruno
    ? [brunoCli(), COLLECTION, ['run', '-r', '--env', 'sandbox', '--env-var', `baseUrl=${baseUrl}`]]
    : [process.execPath, ROOT, [DEMO]];
  const demo = spawn(program, args, {
    cwd,
    env: { ...plainEnvironment(), RINPATH_BASE_URL: baseUrl },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const timer = setTimeout(() => demo.kill('SIGKILL'), DEMO_MS);
  await once(demo, 'exit');
  clearTimeout(timer);
  if (demo.exitCode === null) console.error(`The demonstration was ended: ${demo.signalCode}`);
  return demo.exitCode ?? 1;
}

function startService(
  port: number,
  dataDir: string,
  configFile: string | undefined,
): NeededProcess {
  return new NeededProcess('The service', ['--enable-source-maps', SERVICE], {
    PORT: String(port),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    ...(configFile !== undefined && { CONFIG_FILE: configFile }),
  });
}

async function main(): Promise<number> {
  if (!existsSync(SERVICE)) throw new Error(`${SERVICE} is not there: run \`npm run build\` first`);
  const folder = scratchFolder('rinpath-demo-');
  // Under root, PostgreSQL runs as the user postgres, who needs access.
  chmodSync(folder, 0o755);
  const port = await freePort();
  const baseUrl = `http://localhost:${port}`;
  const lenders = wanted.lenders ? await RemoteLenders.start(baseUrl, folder) : undefined;
  let service: NeededProcess | undefined;
  let hasPassed = false;
  try {
    service = startService(port, folder, await lenders?.configure());
    await service.ready();
    const code = await runDemo(baseUrl);
    await lenders?.checkBooks();
    await service.stop();
    await lenders?.process.stop();
    hasPassed = code === 0;
    return code;
  } finally {
    if (!hasPassed) {
      if (service) console.error(`\nWhat the service wrote:\n${service.output}`);
      if (lenders) console.error(`\nWhat the lenders wrote:\n${lenders.process.output}`);
    }
    await service?.kill();
    await lenders?.kill();
    // The embedded PostgreSQL ends shortly after a service that was killed.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
