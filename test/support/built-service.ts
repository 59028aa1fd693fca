import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));
const MAIN_FILE = join(DIST, 'src/main.js');
const IN_ONE_FILE = 'one-file-';

/**
 * The main file of the built service with all its modules in it, made once for each build: finding and reading some
 * 3,500 files is half of the processor time of a start. Files that the service reads, and those that it starts threads
 * and processes from, are those of `dist` and the packages.
 * @throws Error when nothing is built
 */
export async function builtService(): Promise<string> {
  if (!existsSync(MAIN_FILE)) throw new Error(`${MAIN_FILE} is not there: run \`npm run build\``);
  const name = `${IN_ONE_FILE}${buildId()}`;
  const folder = join(DIST, name);
  if (!existsSync(folder)) await makeInto(folder, name);
  return join(folder, 'main.js');
}

/** Another one after every build, and after every change of a built file. */
function buildId(): string {
  const hash = createHash('sha256').update(DIST);
  for (const part of ['src', 'migrations']) {
    for (const file of readdirSync(join(DIST, part), {
      recursive: true,
      encoding: 'utf8',
    }).toSorted()) {
      const { mtimeMs, size } = statSync(join(DIST, part, file));
      hash.update(`${file} ${mtimeMs} ${size}\n`);
    }
  }
  return hash.digest('hex').slice(0, 16);
}

async function makeInto(folder: string, name: string): Promise<void> {
  // Two services that start at the same moment make it both; neither may touch what the other writes.
  const draft = mkdtempSync(join(DIST, 'draft-'));
  // A service may run as another user, who must get in.
  chmodSync(draft, 0o755);
  const bundle = await rolldown({
    input: MAIN_FILE,
    platform: 'node',
    // TypeORM asks for it by a name that it puts together, and would get a copy of its own.
    external: ['pg'],
    // Nest tries to import packages that are not installed.
    logLevel: 'silent',
    plugins: [WHERE_IT_STOOD],
  });
  await bundle.write({ dir: draft, format: 'esm', keepNames: true });
  await bundle.close();
  try {
    renameSync(draft, folder);
  } catch {
    // Somebody else was faster: what was made is the same.
    rmSync(draft, { recursive: true });
  }
  for (const other of readdirSync(DIST)) {
    if (other.startsWith(IN_ONE_FILE) && other !== name)
      rmSync(join(DIST, other), { recursive: true, force: true });
  }
}

/** A module finds its neighbours from where it stood. */
const WHERE_IT_STOOD: Plugin = {
  name: 'where-it-stood',
  transform: {
    filter: { code: /import\.meta\.url|__dirname|__filename/, id: /^\// },
    handler: (code, id) =>
      code
        // Nest's own packages require each other so; a second copy of them would be loaded.
        .replace(/^const require = createRequire\(import\.meta\.url\);$/m, (text) =>
          id.includes('/@nestjs/') ? '' : text,
        )
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
        .replaceAll(/\b__dirname\b/g, JSON.stringify(dirname(id)))
        .replaceAll(/\b__filename\b/g, JSON.stringify(id)),
  },
};
