import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, rmSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import { scratchFolder } from '../../test/support/scratch-folder.ts';
import { freePort, type ServiceProcess, startBuiltService } from '../support/built-service.ts';

/** The reference lender that hangs in some measurements. */
export const HANGING = 'navdhara';

const LENDER_MAIN = fileURLToPath(new URL('../../examples/lender/main.ts', import.meta.url));
const CONFIG = fileURLToPath(new URL('../../config', import.meta.url));
/** High, so that the service's own limits do not matter. */
const LIMITS = { callsPerSecond: 1_000, callsAtOnce: 64 };

interface ConfiguredLender {
  readonly code: string;
}

/** The built service with the reference lenders in a separate process. */
export interface RemoteLenders {
  readonly service: ServiceProcess;
  /** The lenders' process id. */
  readonly pid: number;
  /** From now on this lender accepts offer requests and never answers. */
  hang(): Promise<void>;
  stop(): Promise<void>;
}

export async function startRemoteLenders(databaseUrl: string): Promise<RemoteLenders> {
  const folder = scratchFolder('rinpath-bench-lenders-');
  const ports = { lenders: await freePort(), admin: await freePort() };
  const configuration = writeConfiguration(folder, `http://127.0.0.1:${ports.lenders}`);
  const service = await startBuiltService(databaseUrl, {
    NODE_ENV: 'production',
    CONFIG_FILE: configuration,
  });
  const keys = join(folder, 'rinpath-jwks.json');
  const response = await fetch(`${service.baseUrl}/.well-known/rlp-jwks.json`);
  // Pinned, since a service under load may serve its keys late.
  writeFileSync(keys, await response.text());
  const child = await startLenders(folder, ports, keys);
  return {
    service,
    pid: child.pid ?? 0,
    hang: () => order(ports.admin, { lender: HANGING, message: 'offers', kind: 'silent' }),
    stop: async () => {
      await service.stop();
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function writeConfiguration(folder: string, lendersUrl: string): string {
  const target = join(folder, 'config');
  // The file refers to files beside it.
  cpSync(CONFIG, target, { recursive: true });
  const file = join(target, 'sandbox.yaml');
  const shipped = parse(readFileSync(file, 'utf8')) as { lenders: ConfiguredLender[] };
  const lenders = shipped.lenders.map((lender) => {
    const address = `${lendersUrl}/${lender.code}`;
    const remote = { address, jwks: `${address}/jwks.json`, limits: LIMITS };
    return { ...lender, adapter: 'rlp', kind: 'NBFC', remote };
  });
  writeFileSync(file, stringify({ ...shipped, lenders }, { aliasDuplicateObjects: false }));
  return file;
}

async function startLenders(
  folder: string,
  ports: { readonly lenders: number; readonly admin: number },
  rinpathKeys: string,
): Promise<ChildProcess> {
  const child = spawn(process.execPath, [LENDER_MAIN], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      PATH: process.env.PATH,
      LENDER_PORT: String(ports.lenders),
      LENDER_URL: `http://127.0.0.1:${ports.lenders}`,
      LENDER_ADMIN_PORT: String(ports.admin),
      LENDER_DATABASE: join(folder, 'lender.sqlite'),
      RINPATH_JWKS: rinpathKeys,
      RINPATH_ANSWERS: 'off',
    },
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  await once(child, 'message');
  return child;
}

async function order(adminPort: number, fault: object): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${adminPort}/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  });
  if (!response.ok) throw new Error(`the fault was not taken: ${await response.text()}`);
}
