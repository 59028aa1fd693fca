// Makes data/ifsc again: `npm run ifsc`, or `npm run ifsc -- IFSC.csv` (docs/operators/configuration.md).
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { branchFiles, namedBranches, sourceNote } from './branch-files.ts';

const FOLDER = join(import.meta.dirname, 'ifsc');
const PACKAGE = 'ifsc';

const [csv] = process.argv.slice(2);
const { version, licence, ...data } = packaged();
const files = branchFiles({
  ...data,
  named: csv === undefined ? new Map() : namedBranches(readFileSync(csv, 'utf8')),
});
const taken = new Date().toISOString().slice(0, 10);
rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER);
for (const [bank, text] of files) writeFileSync(join(FOLDER, `${bank}.txt`), text);
writeFileSync(join(FOLDER, 'LICENSE'), licence);
writeFileSync(
  join(FOLDER, 'README.md'),
  sourceNote({ version, taken, csv: csv === undefined ? undefined : basename(csv) }),
);
console.log(`${files.size} banks are in data/ifsc.`);

/** The newest data of the package, which is only read: none of its code runs. */
function packaged() {
  const folder = mkdtempSync(join(tmpdir(), 'ifsc-'));
  try {
    const packed = execFileSync('npm', ['pack', PACKAGE, '--silent'], { cwd: folder });
    execFileSync('tar', ['xzf', packed.toString().trim()], { cwd: folder });
    const text = (file: string) => readFileSync(join(folder, 'package', file), 'utf8');
    const read = (file: string): unknown => JSON.parse(text(file));
    return {
      version: (read('package.json') as { version: string }).version,
      licence: text('LICENSE'),
      bankNames: read('src/banknames.json') as Record<string, string>,
      codes: read('src/IFSC.json') as Record<string, (string | number)[]>,
      sublets: {
        ...(read('src/sublet.json') as Record<string, string>),
        ...(read('src/custom-sublets.json') as Record<string, string>),
      },
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
