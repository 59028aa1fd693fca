/**
 * Measures whether the workbench's pages stay quick and small for a partner with 1,000,000 journeys and 10,000,000
 * logged calls. Takes about fifteen minutes and 10 GB of disk, mostly for the data. `WORKBENCH_JOURNEYS` and
 * `WORKBENCH_REQUESTS` set the numbers. With `WORKBENCH_DATA`, a folder, the database remains for the next run.
 */
import type { Client } from 'pg';
import { loadHistory, type OwnShare } from './growth/history.ts';
import { type BenchServer, startBenchServer } from './support/bench-server.ts';
import { type ServiceProcess, startBuiltService } from './support/built-service.ts';
import { connected } from './support/create-database.ts';
import { startJourneys } from './support/headless-journeys.ts';
import { medianOf } from './support/interleaved.ts';
import { keptDatabase } from './support/kept-database.ts';
import { processorTime } from './support/process-figures.ts';
import { surroundings, table, writeReport } from './support/report.ts';
import { SignedClient } from './support/signed-client.ts';
import { untilQuiet } from './support/until-quiet.ts';
import { serverTime } from './webhooks/server-time.ts';
import { loadRequests } from './workbench/requests-data.ts';
import { type Known, type ShownPage, shownPages } from './workbench/shown-pages.ts';
import { Visitor } from './workbench/visit.ts';
import { loadDeliveries } from './workbench/webhooks-data.ts';

const JOURNEYS = Number(process.env.WORKBENCH_JOURNEYS ?? 1_000_000);
const REQUESTS = Number(process.env.WORKBENCH_REQUESTS ?? 10_000_000);
const DAYS = 190;
const SHARE: OwnShare = { own: 5, of: 6 };
const REAL_JOURNEYS = 3;
const ROUNDS = 4;
const VISITS_A_ROUND = 15;
const MOST_MS = 100;
const MOST_BYTES = 100_000;
const PAGES_SHOWN = 12;

interface Measured {
  readonly page: ShownPage;
  /** The first visit after the start of the service. */
  readonly firstMs: number;
  readonly times: number[];
  /** Milliseconds of processor time per visit, of the service and of PostgreSQL, by round. */
  readonly service: number[];
  readonly server: number[];
  readonly bytes: number;
  readonly htmlBytes: number;
}

export async function run(only?: string): Promise<void> {
  const server = await startBenchServer(process.env.WORKBENCH_DATA);
  const closing: (() => unknown)[] = [];
  try {
    const url = await keptDatabase(server.url, 'workbench', fill);
    const client = await connected(url);
    closing.push(() => client.end());
    const { rows } = await client.query<{ known: Known }>('SELECT known FROM bench_known');
    const known = rows[0].known;
    const size = await sizeOf(client);
    const service = await startBuiltService(url, { NODE_ENV: 'production' });
    closing.push(() => service.stop());
    const pages = (await shownPages(client, known)).filter(({ name }) => name === (only ?? name));
    const measured = await measure(server, service, pages);
    const report = reportOf(measured, size);
    process.stdout.write(`\n${report}\n`);
    if (only === undefined && JOURNEYS >= 1_000_000) writeReport('workbench', report);
  } finally {
    for (const close of closing.toReversed()) await close();
    await server.stop();
  }
}

/** The service creates the schema and some journeys; plain SQL adds the rest. */
async function fill(url: string): Promise<void> {
  const client = await connected(url);
  const service = await startBuiltService(url, { NODE_ENV: 'production' });
  const partner = new SignedClient(service.baseUrl);
  const post = async (path: string, body: object) =>
    JSON.parse(await partner.post(`/api/v1/partner${path}`, JSON.stringify(body))).data;
  const [started] = await startJourneys(service.baseUrl, REAL_JOURNEYS);
  const { journeyId: instantLoan } = await post('/instant-loans', {
    mobile: '9876543210',
    customer: { pan: 'ABCDE1234F', firstName: 'Asha' },
  });
  const urls = ['http://127.0.0.1:9/working', 'http://127.0.0.1:9/inactive'];
  const [working, inactive] = [
    (await post('/webhooks', { url: urls[0] })).subscriptionId,
    (await post('/webhooks', { url: urls[1] })).subscriptionId,
  ];
  await untilQuiet(client);
  partner.close();
  await service.stop();
  const busyJourney = started?.journeyId ?? '';
  const all = (own: number) => Math.ceil((own * SHARE.of) / SHARE.own);
  await loadHistory(url, { journeys: all(JOURNEYS), days: DAYS, share: SHARE }, log);
  const startedAt = performance.now();
  await loadDeliveries(client, { working, inactive }, busyJourney);
  log(`their deliveries ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
  await loadRequests(client, { own: REQUESTS, all: all(REQUESTS) }, busyJourney, log);
  await client.query('VACUUM ANALYZE');
  await client.query('CHECKPOINT');
  const known: Known = { working, inactive, busyJourney, instantLoan };
  await client.query('CREATE TABLE bench_known AS SELECT $1::jsonb AS known', [known]);
  await client.end();
}

function log(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function measure(
  { dataDir }: BenchServer,
  { baseUrl, pid }: ServiceProcess,
  pages: readonly ShownPage[],
): Promise<Measured[]> {
  const visitor = new Visitor(baseUrl);
  await visitor.enter();
  const measured: Measured[] = [];
  for (const page of pages) {
    const { ms, bytes, htmlBytes } = await visitor.visit(page);
    measured.push({ page, firstMs: ms, times: [], service: [], server: [], bytes, htmlBytes });
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { page, times, service, server } of measured) {
      const before = [processorTime(pid), serverTime(dataDir)] as const;
      for (let visit = 0; visit < VISITS_A_ROUND; visit += 1) {
        times.push((await visitor.visit(page)).ms);
      }
      service.push(((processorTime(pid) - before[0]) * 1_000) / VISITS_A_ROUND);
      server.push(((serverTime(dataDir) - before[1]) * 1_000) / VISITS_A_ROUND);
    }
  }
  visitor.close();
  return measured;
}

async function sizeOf(client: Client): Promise<string> {
  const { rows } = await client.query<{ size: string }>(
    'SELECT pg_size_pretty(pg_database_size(current_database())) AS size',
  );
  return rows[0]?.size ?? '';
}

function reportOf(measured: readonly Measured[], size: string): string {
  const slowest = (times: readonly number[]) =>
    times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;
  const bySlowest = measured.toSorted((a, b) => slowest(b.times) - slowest(a.times));
  const rows = bySlowest
    .slice(0, PAGES_SHOWN)
    .map(({ page, firstMs, times, service, server, bytes, htmlBytes }) => [
      page.name,
      medianOf(times).toFixed(1),
      slowest(times).toFixed(1),
      firstMs.toFixed(),
      medianOf(service).toFixed(1),
      medianOf(server).toFixed(1),
      (bytes / 1_000).toFixed(1),
      (htmlBytes / 1_000).toFixed(1),
    ]);
  const head = ['Page', 'median', '95th', 'first', 'service', 'PostgreSQL', 'KB sent', 'unpacked'];
  const most = Math.max(...measured.map(({ times }) => slowest(times)));
  const largest = Math.max(...measured.map(({ bytes }) => bytes));
  return `## The workbench

The slowest of ${measured.length} pages takes ${most.toFixed(1)} ms in its 95th percentile (target: ${MOST_MS}); the largest is ${(largest / 1_000).toFixed(1)} KB (target: ${MOST_BYTES / 1_000}).

${surroundings()}. A partner with ${JOURNEYS.toLocaleString('en')} journeys of half a year and ${REQUESTS.toLocaleString('en')} calls of seven
days, beside a fifth as many of others (${size}), on one embedded PostgreSQL with its settings as shipped; client, service and
database share the machine. Milliseconds from a page’s request to its last byte, of ${ROUNDS * VISITS_A_ROUND} visits on one connection; _first_: the
first since the service was started; _service_ and _PostgreSQL_: processor time for a visit. _KB sent_: compressed by the
service, and unpacked. The table has the ${PAGES_SHOWN} slowest pages.

${table(head, rows)}`;
}
