/**
 * Puts the built service and its command line, with all packages, into a few files in `dist/bundle`: finding and
 * reading some 3,500 modules is half of the time of a start. Run by `npm run build`.
 *
 * Files that a module reads beside itself, and those that threads and processes are started from, stay where they
 * are, in `dist` and in the packages: a module in the bundle looks for them from where it stood. `dist` and
 * `node_modules` may be moved together.
 */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';

const SRC = fileURLToPath(new URL('../src/', import.meta.url));
const DIST = fileURLToPath(new URL('../dist/', import.meta.url));
/** The folder in `dist` that the service is started from. */
export const BUNDLE = 'bundle';
const ENTRIES = ['main', 'admin-main'];

/** What modules in the bundle find their neighbours with, from where the bundle is. */
const BANNER = `
import { fileURLToPath as pathOfModule } from 'node:url';
const urlOfModule = (relative) => new URL(relative, import.meta.url).href;
`;

/** A module finds its neighbours from where it stood. */
const WHERE_IT_STOOD: Plugin = {
  name: 'where-it-stood',
  transform: {
    filter: { code: /import\.meta\.url|__dirname|__filename/, id: /^\// },
    handler: (code, id) => {
      // Every folder that bundles are made into is in `dist`.
      const file = JSON.stringify(relative(join(DIST, BUNDLE), id));
      const folder = JSON.stringify(relative(join(DIST, BUNDLE), dirname(id)));
      return (
        code
          // Nest's own packages require each other so; a second copy of them would be loaded.
          .replace(/^const require = createRequire\(import\.meta\.url\);$/m, (text) =>
            id.includes('/@nestjs/') ? '' : text,
          )
          .replaceAll('import.meta.url', `urlOfModule(${file})`)
          .replaceAll(/\b__dirname\b/g, `pathOfModule(urlOfModule(${folder}))`)
          .replaceAll(/\b__filename\b/g, `pathOfModule(urlOfModule(${file}))`)
      );
    },
  },
};

/** Our own modules are shown in a stack as they were written; packages need no map. */
const OUR_MAPS: Plugin = {
  name: 'our-maps',
  load: {
    filter: { id: /\.[cm]?js$/ },
    handler: (id) => {
      const code = readFileSync(id, 'utf8');
      const isOurs = id.startsWith(DIST) && existsSync(`${id}.map`);
      return { code, map: isOurs ? readFileSync(`${id}.map`, 'utf8') : { mappings: '' } };
    },
  },
};

/**
 * Makes `dist/bundle`, or another folder beside it, of what is built in `dist`. A second process leaves what
 * the first one made.
 */
export async function bundleInto(name: string): Promise<void> {
  const draft = mkdtempSync(join(DIST, 'draft-'));
  // The service may run as another user.
  chmodSync(draft, 0o755);
  const bundle = await rolldown({
    input: Object.fromEntries(ENTRIES.map((entry) => [entry, join(DIST, 'src', `${entry}.js`)])),
    platform: 'node',
    // TypeORM asks for it by a name that it puts together, and would get a copy of its own.
    external: ['pg'],
    // Nest tries to import packages that are not installed.
    logLevel: 'silent',
    plugins: [OUR_MAPS, WHERE_IT_STOOD],
  });
  const { output } = await bundle.write({
    dir: draft,
    format: 'esm',
    keepNames: true,
    sourcemap: true,
    comments: false,
    banner: BANNER,
    entryFileNames: '[name].js',
    chunkFileNames: 'shared-[hash].js',
  });
  await bundle.close();
  for (const { fileName } of output) {
    const file = join(draft, fileName);
    if (fileName.endsWith('.map')) leanMap(file);
    else writeFileSync(file, inAscii(readFileSync(file, 'utf8')));
  }
  try {
    renameSync(draft, join(DIST, name));
  } catch {
    rmSync(draft, { recursive: true });
  }
}

/** Where a line stood is enough for a stack; a process holds the whole map in memory. */
function leanMap(file: string): void {
  const { version, sources, names, mappings } = JSON.parse(readFileSync(file, 'utf8')) as Record<
    string,
    unknown
  >;
  writeFileSync(file, JSON.stringify({ version, sources, names, mappings }));
}

/** Node keeps a module's text for ever, in one byte a character only if all of them are ASCII. */
function inAscii(code: string): string {
  return code.replaceAll(/\P{ASCII}/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** The service reads its SQL files beside its modules; the compiler leaves them out. */
function copySql(): void {
  for (const path of readdirSync(SRC, { recursive: true, encoding: 'utf8' })) {
    if (path.endsWith('.sql')) cpSync(join(SRC, path), join(DIST, 'src', path));
  }
}

if (import.meta.main) {
  copySql();
  for (const name of readdirSync(DIST)) {
    if (name.startsWith(BUNDLE)) rmSync(join(DIST, name), { recursive: true, force: true });
  }
  await bundleInto(BUNDLE);
}
