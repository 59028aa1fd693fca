/**
 * `npm run test:times`: the time of every spec file of the last run, and what the run waited for. `-- --run [files]`
 * runs first. `-- --record` writes the times that `LongestFirst` sorts by, after a complete run.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { RunTimes } from './file-times.ts';
import { LAST_RUN, RECORDED, ROOT } from './places.ts';
import { recorded, timesTable } from './times-table.ts';

const { values, positionals } = parseArgs({
  options: {
    run: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    longest: { type: 'string', default: '40' },
  },
  allowPositionals: true,
});

if (values.run) {
  const { status } = spawnSync('vitest', ['run', ...positionals], { cwd: ROOT, stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
if (!existsSync(LAST_RUN)) throw new Error('No run has left its times: `npm test` first, or --run');
const run = JSON.parse(readFileSync(LAST_RUN, 'utf8')) as RunTimes;
process.stdout.write(timesTable(run, Number(values.longest)));
if (values.record) {
  const ran = new Set(run.files.map(({ file }) => file));
  const missing = Object.keys(readRecorded()).filter((file) => !ran.has(file));
  const left = missing.filter((file) => existsSync(join(ROOT, file)));
  if (left.length > 0) throw new Error(`The last run lacked ${left.join()}: run all files first`);
  writeFileSync(RECORDED, `${JSON.stringify(recorded(run.files), null, 2)}\n`);
}

function readRecorded(): Record<string, number> {
  return JSON.parse(readFileSync(RECORDED, 'utf8')) as Record<string, number>;
}
