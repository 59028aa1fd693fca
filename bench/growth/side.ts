import type { Client } from 'pg';
import { built, startBuiltService } from '../support/built-service.ts';
import { connected } from '../support/create-database.ts';
import { startJourneys } from '../support/headless-journeys.ts';
import { keptDatabase } from '../support/kept-database.ts';
import { serviceParts, type ServiceParts } from '../support/service-parts.ts';
import { untilQuiet } from '../support/until-quiet.ts';
import { cleanAway, LOTS } from './day-lots.ts';
import { loadHistory } from './history.ts';
import { OLD_MONTHS } from './old-month-rows.ts';
import { SESSION_PREFIX } from './session.ts';

type Leads = typeof import('../../src/leads/leads.module.js');

/** The application name of `Side.parts`' connections. */
export const PARTS = 'growth-parts';
const DAYS = 365;
/** The same in both databases: made by the service over HTTP. */
const REAL_JOURNEYS = 200;

/** One of the two databases. */
export interface Side {
  readonly name: 'small' | 'large';
  readonly url: string;
  readonly journeys: number;
  readonly client: Client;
  /** The journeys that the service made, with three offers each. */
  readonly realJourneys: readonly string[];
  readonly parts: ServiceParts;
  /** The background task that updates the counts of leads each second. */
  foldLeads(): Promise<void>;
  close(): Promise<void>;
}

/** Makes a database with this many journeys, or opens the one of an earlier run. */
export async function openSide(
  serverUrl: string,
  name: Side['name'],
  journeys: number,
): Promise<Side> {
  const url = await keptDatabase(serverUrl, `growth_${name}`, (made) =>
    fill(made, journeys, (step) => process.stdout.write(`${name}: ${step}\n`)),
  );
  const client = await connected(url);
  const named = new URL(url);
  named.searchParams.set('application_name', PARTS);
  const parts = await serviceParts(named.href);
  const { LeadCountsTasks } = await built<Leads>('src/leads/leads.module.js');
  const tasks = parts.get(LeadCountsTasks);
  await tasks.run();
  // Deletes expired rows first, so that no clean-up runs during a measurement.
  for (const lot of LOTS) await cleanAway(lot, parts);
  for (const month of OLD_MONTHS) await month.keep(parts);
  await client.query('VACUUM ANALYZE');
  await client.query('CHECKPOINT');
  const { rows } = await client.query<{ id: string }>('SELECT id FROM growth_real_journeys');
  return {
    name,
    url,
    journeys,
    client,
    realJourneys: rows.map(({ id }) => id),
    parts,
    foldLeads: () => tasks.run(),
    close: async () => {
      await parts.close();
      await client.end();
    },
  };
}

async function fill(url: string, journeys: number, log: (step: string) => void): Promise<void> {
  const service = await startBuiltService(url, { NODE_ENV: 'production' });
  const client = await connected(url);
  try {
    await startJourneys(service.baseUrl, REAL_JOURNEYS);
    await untilQuiet(client);
    await client.query(REAL_JOURNEYS_TABLE, [SESSION_PREFIX]);
  } finally {
    await service.stop();
  }
  await loadHistory(url, { journeys, days: DAYS, hasCalls: true }, log);
  await client.end();
}

// Known sessions, like those of the loaded journeys.
const REAL_JOURNEYS_TABLE = `
  WITH known AS (
    UPDATE journeys SET session_hash = encode(sha256(($1 || id)::bytea), 'hex') RETURNING id
  )
  SELECT id INTO growth_real_journeys FROM known
`;
