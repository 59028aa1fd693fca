/**
 * Measures the audit's chains: their cost per transition and per journey, with and without triggers. Also the time of a
 * day's roots, and of `admin audit verify` on two million rows. `npm run bench -- audit moves` (or `journeys`, or a
 * number of rows to verify) runs one section.
 */
import { journeysSection } from './audit/journeys.ts';
import { movesSection } from './audit/moves.ts';
import { verificationSection } from './audit/verification.ts';
import { startBenchServer } from './support/bench-server.ts';
import { surroundings, writeReport } from './support/report.ts';

const ROWS = 2_000_000;

export async function run(only?: string): Promise<void> {
  const server = await startBenchServer();
  const sections: string[] = [];
  try {
    if (only === undefined || only === 'moves') sections.push(await movesSection(server.url));
    if (only === undefined || only === 'journeys') sections.push(await journeysSection(server.url));
    const rows = only === undefined ? ROWS : Number(only);
    if (rows > 0) sections.push(await verificationSection(server.url, rows));
  } finally {
    await server.stop();
  }
  process.stdout.write(`\n${sections.join('\n\n')}\n`);
  if (only === undefined) writeReport('audit', [head(), ...sections].join('\n\n'));
}

function head(): string {
  return `## The audit

${surroundings()}, the embedded PostgreSQL with its settings as shipped, on the same machine.`;
}
