/** `npm run language`: checks the style guide's rules in every file, as far as a machine can. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { documentFindings, type Finding, wordFindings } from './guide.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const README_WORDS = 900;
const CODE = /\.(?:ts|mjs|js|py|sql|hbs|css|sh)$/;
/** The list of words. */
const GUIDE = /^test\/language\//;
/** Consent texts that applicants have agreed to, and the output of benchmarks. */
const FIXED = /^(?:src\/consents\/wording-|docs\/generated\/performance\.md$)/;

const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
const problems: string[] = [];

for (const file of files) {
  if (GUIDE.test(file) || FIXED.test(file)) continue;
  const findings = findingsOf(file);
  problems.push(...findings.map(({ line, problem }) => `${file}:${line}: ${problem}`));
}

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8').split(/\s+/).length;
if (readme > README_WORDS)
  problems.push(`README.md has ${readme} words; allowed are ${README_WORDS}`);

for (const problem of problems) console.error(problem);
console.log(problems.length > 0 ? `Error: ${problems.length} places` : `OK: ${files.length} files`);
process.exitCode = problems.length > 0 ? 1 : 0;

function findingsOf(file: string): Finding[] {
  if (file.endsWith('.md')) return documentFindings(readFileSync(join(ROOT, file), 'utf8'));
  return CODE.test(file) ? wordFindings(readFileSync(join(ROOT, file), 'utf8')) : [];
}
