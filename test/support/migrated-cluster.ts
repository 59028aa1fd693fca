import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type RunningPostgres,
  startEmbeddedPostgres,
} from '../../src/platform/database/embedded/embedded-postgres.js';
import { scratchFolder } from './scratch-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache/rinpath/clusters');
export const TEMPLATE = 'rinpath_template';
const UNUSED_MS = 3_600_000;
// Nothing of a test run must survive a power cut.
const FAST_SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

const SOURCES = [
  'migrations/*.ts',
  'src/platform/{database,store}/**/*.ts',
  'src/*/store/functions/*.sql',
  'src/sandbox/store/sandbox-clock.repository.ts',
  'test/support/{migrated-cluster,make-template}.ts',
  'package-lock.json',
];

export interface MigratedCluster extends RunningPostgres {
  readonly dataDir: string;
}

/** Starts a PostgreSQL on a copy of the cached cluster; `settings` as `name=value`. */
export async function startMigratedCluster(
  template: string,
  settings: readonly string[] = FAST_SETTINGS,
): Promise<MigratedCluster> {
  const folder = scratchFolder('rinpath-test-');
  const dataDir = join(folder, 'data');
  const cached = join(CACHE, digestOfSources(template));
  try {
    // Under root, the server runs as the user postgres, who needs access.
    chmodSync(folder, 0o755);
    const running =
      (copied(cached, dataDir) && (await startedOn(dataDir, cached, settings))) ||
      (await makeAndStart(dataDir, template, cached, settings));
    const stop = () => running.stop().finally(() => remove(folder));
    return { ...running, dataDir, stop };
  } catch (error) {
    remove(folder);
    throw error;
  }
}

async function startedOn(
  dataDir: string,
  cached: string,
  settings: readonly string[],
): Promise<RunningPostgres | null> {
  try {
    return await startEmbeddedPostgres({ dataDir, settings });
  } catch {
    // A damaged cluster is deleted.
    remove(cached);
    remove(dataDir);
    return null;
  }
}

async function makeAndStart(
  dataDir: string,
  template: string,
  cached: string,
  settings: readonly string[],
): Promise<RunningPostgres> {
  mkdirSync(dataDir);
  chmodSync(dataDir, 0o755);
  await makeCluster(dataDir, template, cached);
  return startEmbeddedPostgres({ dataDir, settings });
}

async function makeCluster(dataDir: string, template: string, cached: string): Promise<void> {
  const { makeTemplate } = await import('./make-template.ts');
  const server = await startEmbeddedPostgres({ dataDir, settings: FAST_SETTINGS });
  try {
    await makeTemplate(server.url, template);
  } finally {
    await server.stop();
  }
  // Checking a password takes milliseconds at each of thousands of connections; the server is on 127.0.0.1 only.
  writeFileSync(
    join(dataDir, 'postgres', 'pg_hba.conf'),
    'host all,replication all 127.0.0.1/32 trust\n',
  );
  keep(dataDir, cached);
}

/** Moves the finished copy into its place, because another run may read or write the cache now. */
function keep(dataDir: string, cached: string): void {
  try {
    mkdirSync(CACHE, { recursive: true });
    const making = mkdtempSync(`${cached}.`);
    try {
      copy(dataDir, join(making, 'data'));
      renameSync(join(making, 'data'), cached);
    } finally {
      remove(making);
    }
    for (const name of readdirSync(CACHE)) removeUnused(join(CACHE, name));
  } catch {
    // Another run was first, or the folder is read-only: this run has its cluster anyway.
  }
}

function removeUnused(path: string): void {
  try {
    if (Date.now() - statSync(path).mtimeMs <= UNUSED_MS) return;
    const going = `${path}.going-${process.pid}`;
    renameSync(path, going);
    remove(going);
  } catch {
    // Another run removes it.
  }
}

function copied(cached: string, dataDir: string): boolean {
  try {
    const now = new Date();
    utimesSync(cached, now, now);
    copy(cached, dataDir);
    if (existsSync(cached)) return true;
  } catch {
    // It is created again.
  }
  remove(dataDir);
  return false;
}

function copy(from: string, to: string): void {
  execFileSync('cp', ['-a', from, to], { stdio: 'ignore' });
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

function digestOfSources(template: string): string {
  const hash = createHash('sha256').update(`${template} ${new Date().toISOString().slice(0, 10)}`);
  for (const file of globSync(SOURCES, { cwd: ROOT }).toSorted())
    hash.update(`\n${file}\n`).update(readFileSync(join(ROOT, file)));
  return hash.digest('hex').slice(0, 16);
}
