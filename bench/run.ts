/**
 * Runs one bench by name on the built service: `npm run bench -- leads`. Each bench has its own file and its own
 * PostgreSQL. It prints its measurements and writes them between its marks in docs/generated/performance.md. Some
 * benches can run a single section, which is only printed: `npm run bench -- webhooks rate`.
 */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface Bench {
  /** With `only`, one section by name, which is only printed. */
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
