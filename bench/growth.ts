/**
 * Measures whether the service stays as quick after a year of journeys. Compares reads, new journeys, the list of
 * leads, abandonment, clean-ups and deliveries with 10,000,000 journeys and with 1,000 on one embedded PostgreSQL. Also
 * measures whether a month of history is dropped quickly, without an effect on callers.
 *
 * Takes over an hour and 70 GB of disk, mostly to write the journeys. `GROWTH_JOURNEYS` sets the number on the large
 * side. With `GROWTH_DATA`, a folder, the databases remain for the next run; `GROWTH_ONLY=data` only writes them. Use
 * them within a day: the service later deletes rows by age.
 *
 * `npm run bench -- growth month` (or `calls`, `abandonment`, `cleaning`, `deliveries`) runs one section.
 */
import { abandonmentSection } from './growth/abandonment.ts';
import { cleanUpSection } from './growth/clean-up.ts';
import { deliveriesSection } from './growth/deliveries.ts';
import { oldMonthSection } from './growth/old-month.ts';
import { ratesSection } from './growth/rates.ts';
import { openSide, type Side } from './growth/side.ts';
import { startBenchServer } from './support/bench-server.ts';
import { surroundings, writeReport } from './support/report.ts';

const SMALL = 1_000;
/** As in deploy/: PostgreSQL's default of 128MB suits no database of this size. */
const BUFFERS = '4GB';
const LARGE = Number(process.env.GROWTH_JOURNEYS ?? 10_000_000);

const SECTIONS = {
  calls: ratesSection,
  abandonment: abandonmentSection,
  cleaning: cleanUpSection,
  deliveries: deliveriesSection,
  month: oldMonthSection,
} as const;

export async function run(only?: string): Promise<void> {
  const server = await startBenchServer(process.env.GROWTH_DATA, [`shared_buffers=${BUFFERS}`]);
  const sides: Side[] = [];
  try {
    const small = await openSide(server.url, 'small', SMALL);
    sides.push(small);
    const large = await openSide(server.url, 'large', LARGE);
    sides.push(large);
    if (process.env.GROWTH_ONLY === 'data') return;
    const growth = { small, large, dataDir: server.dataDir, log };
    const parts = [headOf(large, await sizeOf(large))];
    for (const [name, section] of Object.entries(SECTIONS)) {
      if (only === undefined || only === name) parts.push(await section(growth));
    }
    process.stdout.write(`\n${parts.join('\n\n')}\n`);
    if (only === undefined) writeReport('growth', parts.join('\n\n'));
  } finally {
    for (const side of sides) await side.close();
    await server.stop();
  }
}

function log(line: string): void {
  process.stdout.write(`${line}\n`);
}

function headOf({ journeys }: Side, size: string): string {
  return `## Growth

${surroundings()}. A database with ${journeys.toLocaleString('en')} journeys of a year and what the
service leaves beside them (${size}) against one with ${SMALL.toLocaleString('en')}, both on one
embedded PostgreSQL with its settings as shipped but ${BUFFERS} of shared buffers, as the example in deploy sets it, the built service on each with a pool of 10. Nine of
ten journeys are over. They were written by plain SQL: what was sealed for lenders is a short text,
every journey asked two lenders, half of them had offers, and none has a chain in the audit. Of what the
service keeps for a time there is as much as it keeps: events, deliveries and attempts of the last 29 days,
calls of the last seven. Client, service and database share the machine.`;
}

async function sizeOf({ client }: Side): Promise<string> {
  const { rows } = await client.query<{ size: string }>(
    'SELECT pg_size_pretty(pg_database_size(current_database())) AS size',
  );
  return rows[0]?.size ?? '';
}
