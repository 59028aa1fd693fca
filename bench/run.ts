/**
 * Runs one bench by its name on the built service: `npm run bench -- leads`. Each bench is in
 * the file of its name, brings its own PostgreSQL, prints what it measured and writes it, between
 * its own marks, into docs/generated/performance.md. Of some, one section can be run alone, for a look:
 * `npm run bench -- webhooks rate`; that one is written nowhere.
 */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface Bench {
  /** With `only`, one section by its name, which is printed alone. */
  run(only?: string): Promise<void>;
}

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

function benches(): string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.ts') && file !== 'run.ts')
    .map((file) => file.slice(0, -'.ts'.length))
    .toSorted();
}

const [name = '', only] = process.argv.slice(2);
if (!benches().includes(name)) {
  process.stderr.write(`Which bench? There is: ${benches().join(', ')}\n`);
  process.exit(2);
}
const bench = (await import(new URL(`${name}.ts`, import.meta.url).href)) as Bench;
await bench.run(only);
