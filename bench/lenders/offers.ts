import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { startBuiltService } from '../support/built-service.ts';
import { connected, createDatabase } from '../support/create-database.ts';
import { INITIATE_TARGET } from '../support/headless-journeys.ts';
import { medianOf, medianRatio } from '../support/interleaved.ts';
import { processorTime } from '../support/process-figures.ts';
import { table } from '../support/report.ts';
import { SignedClient } from '../support/signed-client.ts';
import { nextApplicant } from './applicants.ts';
import { startRemoteLenders } from './remote-lenders.ts';

export const ROUNDS = 5;
export const JOURNEYS = 160;
export const LANES = 8;
const WARM_UP = 240;
const LOOK_MS = 10;
const GIVE_UP_MS = 60_000;

/** A measured service, and the processes whose time its journeys take. */
export interface Contestant {
  readonly name: string;
  readonly baseUrl: string;
  readonly client: Client;
  readonly servicePid: number;
  readonly lendersPid: number | null;
}

/** Of one turn; milliseconds, and journeys per second. */
export interface Figures {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  /** Processor time of the service, and of the lenders’ process, per journey. */
  readonly serviceMs: number;
  readonly lendersMs: number;
}

/** From `POST /journey/initiate` to the offers of all three lenders; remote and simulated ones alternate. */
export async function offersSection(serverUrl: string): Promise<string> {
  const closing: (() => unknown)[] = [];
  try {
    const contestants = [await remote(serverUrl, closing), await simulated(serverUrl, closing)];
    for (const contestant of contestants) await turn(contestant, WARM_UP);
    const results = new Map(contestants.map(({ name }) => [name, [] as Figures[]]));
    for (let round = 0; round < ROUNDS; round += 1) {
      // The order alternates, so that each runs after a busy one.
      for (const contestant of round % 2 === 0 ? contestants : contestants.toReversed()) {
        const figures = await turn(contestant, JOURNEYS);
        results.get(contestant.name)?.push(figures);
        process.stdout.write(
          `${contestant.name}: ${figures.rate.toFixed(1)} /s, p99 ${figures.p99.toFixed()} ms\n`,
        );
      }
    }
    return reportOf(results);
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}

async function remote(serverUrl: string, closing: (() => unknown)[]): Promise<Contestant> {
  const url = await createDatabase(serverUrl, 'lenders_remote');
  const lenders = await startRemoteLenders(url);
  closing.push(() => lenders.stop());
  const { baseUrl, pid } = lenders.service;
  const client = await connected(url);
  closing.push(() => client.end());
  return {
    name: 'remote, over RLP',
    baseUrl,
    client,
    servicePid: pid,
    lendersPid: lenders.pid,
  };
}

async function simulated(serverUrl: string, closing: (() => unknown)[]): Promise<Contestant> {
  const url = await createDatabase(serverUrl, 'lenders_simulated');
  const service = await startBuiltService(url, {
    NODE_ENV: 'production',
    SANDBOX_LATENCY_PERCENT: '0',
  });
  closing.push(() => service.stop());
  const client = await connected(url);
  closing.push(() => client.end());
  const { baseUrl, pid } = service;
  return { name: 'simulated, in the process', baseUrl, client, servicePid: pid, lendersPid: null };
}

let applicants = 0;

/** Runs these journeys, some in parallel; each starts when an earlier one has its offers. */
export async function turn(contestant: Contestant, journeys: number): Promise<Figures> {
  const { baseUrl, client, servicePid, lendersPid } = contestant;
  const partner = new SignedClient(baseUrl);
  const watch = new OffersWatch(client);
  const times: number[] = [];
  const spent = () => [
    processorTime(servicePid),
    lendersPid === null ? 0 : processorTime(lendersPid),
  ];
  const before = spent();
  const startedAt = performance.now();
  let left = journeys;
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      applicants += 1;
      const sentAt = performance.now();
      const text = await partner.post(INITIATE_TARGET, nextApplicant(applicants));
      const { data } = JSON.parse(text) as { data: { journeyId: string } };
      await watch.ready(data.journeyId);
      times.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  const seconds = (performance.now() - startedAt) / 1_000;
  const [service = 0, lenders = 0] = spent().map((time, index) => time - (before[index] ?? 0));
  watch.stop();
  partner.close();
  const sorted = times.toSorted((a, b) => a - b);
  return {
    rate: journeys / seconds,
    p50: medianOf(times),
    p99: sorted[Math.floor(0.99 * sorted.length)] ?? Number.NaN,
    serviceMs: (service * 1_000) / journeys,
    lendersMs: (lenders * 1_000) / journeys,
  };
}

/** Polls for all waiting callers which journeys have the offers of every lender. */
class OffersWatch {
  private readonly waiting = new Map<string, () => void>();
  private isStopped = false;
  private readonly client: Client;

  constructor(client: Client) {
    this.client = client;
    void this.look();
  }

  /** @throws Error when the offers do not come */
  async ready(journeyId: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.waiting.set(journeyId, resolve);
    const late = new AbortController();
    const gaveUp = sleep(GIVE_UP_MS, undefined, late).then(() => {
      throw new Error(`${journeyId} never had its offers`);
    });
    gaveUp.catch(() => undefined);
    await Promise.race([promise, gaveUp]);
    late.abort();
  }

  stop(): void {
    this.isStopped = true;
  }

  private async look(): Promise<void> {
    while (!this.isStopped) {
      if (this.waiting.size > 0) {
        const { rows } = await this.client.query<{ id: string }>(
          `SELECT id FROM journeys WHERE id = ANY($1) AND state = 'OFFERS_RECEIVED'`,
          [[...this.waiting.keys()]],
        );
        for (const { id } of rows) {
          this.waiting.get(id)?.();
          this.waiting.delete(id);
        }
      }
      await sleep(LOOK_MS);
    }
  }
}

function reportOf(results: ReadonlyMap<string, readonly Figures[]>): string {
  const rows = Array.from(results, ([name, figures]) => [
    name,
    ...(['rate', 'p50', 'p99', 'serviceMs', 'lendersMs'] as const).map((key) =>
      medianOf(figures.map((one) => one[key])).toFixed(1),
    ),
  ]);
  const [far = [], near = []] = [...results.values()];
  const ratio = (key: keyof Figures) =>
    medianRatio(
      far.map((one) => one[key]),
      near.map((one) => one[key]),
    ).toFixed(2);
  rows.push(['ratio', ratio('rate'), ratio('p50'), ratio('p99'), ratio('serviceMs'), '']);
  return `### From initiate to offers

${JOURNEYS} journeys a turn, ${LANES} at a time, each begun when one before it had the offers of all three lenders; ${ROUNDS} rounds in
turns. Milliseconds from the call of \`POST /journey/initiate\` to the offers, looked for every ${LOOK_MS} ms; _service_ and _lenders_:
processor time of the two processes for a journey. The simulated lenders answer at once (\`SANDBOX_LATENCY_PERCENT=0\`).

${table(['Lenders', 'journeys a second', 'p50', 'p99', 'service', 'lenders'], rows)}`;
}
