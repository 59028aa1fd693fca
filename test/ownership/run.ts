/** Part of `npm run boundaries`: fails if a file names a table of another store. */
import { fileURLToPath } from 'node:url';
import { findTrespasses } from './tables.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FIX =
  'A table belongs to one store: the folder `store/` its entity is in, the only place that names\n' +
  'it. To fix: ask the repository of that store; across modules, a narrow read model or a port.\n';

const found = findTrespasses(ROOT);
for (const { file, line, what } of found) process.stderr.write(`${file}:${line} ${what}\n`);
if (found.length > 0) process.stderr.write(`\n${FIX}`);
process.stdout.write(`tables: ${found.length} places name a table of another store\n`);
process.exitCode = found.length > 0 ? 1 : 0;
