/**
 * Part of `npm run boundaries`: fails when a file names a table of another store, beyond what `red-list.json` still
 * has, and when the list has what is no longer so.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findTrespasses } from './tables.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LIST = fileURLToPath(new URL('red-list.json', import.meta.url));
const MEND =
  'A table belongs to one store: the folder `store/` its entity stands in, the only place that names\n' +
  'it. To mend: ask the repository of that store; across modules, a narrow read model or a port.\n';

const found = findTrespasses(ROOT);
const keys = [...new Set(found.map(({ file, what }) => `${file}: ${what}`))];
if (process.argv.includes('--write')) {
  writeFileSync(LIST, `${JSON.stringify(keys, null, 2)}\n`);
  process.exit(0);
}
const listed = JSON.parse(readFileSync(LIST, 'utf8')) as string[];
const fresh = found.filter(({ file, what }) => !listed.includes(`${file}: ${what}`));
const mended = listed.filter((key) => !keys.includes(key));
for (const { file, line, what } of fresh) process.stderr.write(`${file}:${line} ${what}\n`);
for (const key of mended) process.stderr.write(`mended, take it off the list: ${key}\n`);
if (fresh.length > 0) process.stderr.write(`\n${MEND}`);
process.stdout.write(`tables: ${keys.length} places name a table of another store\n`);
process.exitCode = fresh.length + mended.length > 0 ? 1 : 0;
