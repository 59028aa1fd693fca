import type { Client } from 'pg';
import { type Contestant, type Figures, turn } from '../lenders/offers.ts';
import { startBuiltService } from '../support/built-service.ts';
import { connected, createDatabase } from '../support/create-database.ts';
import { medianOf, medianRatio } from '../support/interleaved.ts';
import { table } from '../support/report.ts';

const ROUNDS = 12;
const JOURNEYS = 120;
const WARM_UP = 240;

/**
 * The cost of all chains for a journey, from `POST /journey/initiate` to its offers. Runs with and without chains
 * alternate.
 */
export async function journeysSection(serverUrl: string): Promise<string> {
  const url = await createDatabase(serverUrl, 'audit_journeys');
  const service = await startBuiltService(url, {
    NODE_ENV: 'production',
    SANDBOX_LATENCY_PERCENT: '0',
  });
  const client = await connected(url);
  try {
    const { baseUrl, pid } = service;
    const contestant: Contestant = {
      name: 'simulated, in the process',
      baseUrl,
      client,
      servicePid: pid,
      lendersPid: null,
    };
    await turn(contestant, WARM_UP);
    const figures = { without: [] as Figures[], with: [] as Figures[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      const sides =
        round % 2 === 0 ? (['without', 'with'] as const) : (['with', 'without'] as const);
      for (const side of sides) {
        await switchChains(client, side === 'with' ? 'ENABLE' : 'DISABLE');
        figures[side].push(await turn(contestant, JOURNEYS));
      }
    }
    return reportOf(figures);
  } finally {
    await client.end();
    await service.stop();
  }
}

async function switchChains(client: Client, change: 'ENABLE' | 'DISABLE'): Promise<void> {
  const { rows } = await client.query<{ owner: string; name: string }>(
    `SELECT tgrelid::regclass::text AS owner, tgname AS name FROM pg_trigger
     WHERE tgname LIKE '%\\_join\\_audit' ORDER BY 1`,
  );
  for (const { owner, name } of rows) {
    await client.query(`ALTER TABLE ${owner} ${change} TRIGGER ${name}`);
  }
}

function reportOf(figures: Record<'without' | 'with', readonly Figures[]>): string {
  const keys = ['rate', 'p50', 'p99', 'serviceMs'] as const;
  const row = (side: 'without' | 'with') =>
    keys.map((key) => medianOf(figures[side].map((one) => one[key])).toFixed(1));
  const ratios = keys.map((key) =>
    medianRatio(
      figures.with.map((one) => one[key]),
      figures.without.map((one) => one[key]),
    ).toFixed(2),
  );
  return `### A journey to its offers

${JOURNEYS} journeys a turn against the simulated lenders, with every chain (moves, answers of lenders, messages, what was shown) and
without one in turns, ${ROUNDS} rounds. Milliseconds from \`POST /journey/initiate\` to the offers; _service_: its processor time a journey.

${table(
  ['Chains', 'journeys a second', 'p50', 'p99', 'service'],
  [
    ['without', ...row('without')],
    ['with', ...row('with')],
    ['ratio', ...ratios],
  ],
)}`;
}
