import { type ServiceProcess, startBuiltService } from '../support/built-service.ts';
import type { DriveOrder, DriveResult } from '../support/drive.ts';
import { Driver } from '../support/driver.ts';
import { headlessBody, INITIATE_TARGET } from '../support/headless-journeys.ts';
import { untilFolded } from '../support/leads-data.ts';
import { targetOf } from '../support/leads-queries.ts';
import { liftLimits } from '../support/lift-limits.ts';
import { medianOf, medianRatio } from '../support/interleaved.ts';
import { barChart, table } from '../support/report.ts';
import { demoLoadKey } from '../support/signed-client.ts';
import { untilQuiet } from '../support/until-quiet.ts';
import type { Growth } from './ground.ts';
import { SESSION_PREFIX } from './session.ts';
import type { Side } from './side.ts';

const CONNECTIONS = 64;
const POOL_SIZE = 10;
const ROUNDS = 5;
const READS = 6_000;
const STARTS = 1_500;
const SPREAD_READS = 6_000;
const LEADS = targetOf({ name: 'first page', filter: {}, page: 1, limit: 20 });

type Order = Pick<DriveOrder, 'method' | 'targets' | 'headers' | 'body' | 'bodies' | 'requests'>;

interface Measure {
  readonly name: string;
  readonly target: string;
  /** The requests for a side; may differ by round. */
  order(side: Side, round: number): Promise<Order>;
}

/** A service process on one side. */
export interface Served {
  readonly side: Side;
  readonly service: ServiceProcess;
}

/** The built service on a side; its load key has no limit. */
export async function serve(side: Side): Promise<Served> {
  const service = await startBuiltService(side.url, {
    DATABASE_POOL: String(POOL_SIZE),
    NODE_ENV: 'production',
  });
  await liftLimits(side.client);
  return { side, service };
}

export function drive(
  driver: Driver,
  { service }: Served,
  order: Order,
  connections = CONNECTIONS,
): Promise<DriveResult> {
  const port = Number(new URL(service.baseUrl).port);
  return driver.drive({ ...order, ...demoLoadKey(), port, connections });
}

/** The journeys that the service made, which both sides have. */
export function readOrder(ids: readonly string[], requests = READS): Order {
  return {
    method: 'GET',
    targets: ids.map((id) => `/api/v1/partner/journey/${id}`),
    headers: ids.map((id) => ({ 'x-journey-session': `${SESSION_PREFIX}${id}` })),
    body: '',
    requests,
  };
}

const MEASURES: readonly Measure[] = [
  {
    name: 'GET /journey/{id}, 200 journeys of the day',
    target: '1.15',
    order: (side) => Promise.resolve(readOrder(side.realJourneys)),
  },
  {
    name: 'the same, large: 6,000 among all of its journeys',
    target: '',
    order: async (side) =>
      readOrder(side.name === 'small' ? side.realJourneys : await spreadJourneys(side)),
  },
  {
    name: 'GET /leads, the newest 20 and how many there are',
    target: '1.15',
    order: async ({ client }) => {
      await untilFolded(client);
      return { method: 'GET', targets: [LEADS], headers: [{}], body: '', requests: READS };
    },
  },
  {
    name: 'POST /journey/initiate',
    target: '1.15',
    order: (_, round) => Promise.resolve(startOrder(round)),
  },
];

async function spreadJourneys({ client }: Side): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM journeys
     WHERE partner_id = 'demo' AND channel = 'API_HEADLESS' AND state = 'OFFERS_RECEIVED'
       AND session_hash = encode(sha256(($1 || id)::bytea), 'hex')
     ORDER BY random() LIMIT $2`,
    [SESSION_PREFIX, SPREAD_READS],
  );
  return rows.map(({ id }) => id);
}

/** Each with a new applicant. */
export function startOrder(round: number, requests = STARTS): Order {
  const applicants = Array.from({ length: requests }, (_, index) => {
    const number = (round + 2) * STARTS + index;
    const mobile = String(9_000_000_000 + ((number * 7_919) % 1_000_000_000));
    const letters = String.fromCodePoint(65 + (number % 26), 65 + (Math.floor(number / 26) % 26));
    return headlessBody(mobile, `B${letters}PV${String(number % 10_000).padStart(4, '0')}K`);
  });
  return {
    method: 'POST',
    targets: [INITIATE_TARGET],
    headers: [{}],
    body: '',
    bodies: applicants,
    requests,
  };
}

interface Rates {
  readonly rate: number;
  readonly p99: number;
}

interface Compared {
  readonly few: Rates;
  readonly many: Rates;
  readonly ratio: number;
}

/** Calls per second of each side; the two sides alternate. */
export async function ratesSection({ small, large, log }: Growth): Promise<string> {
  const served = [await serve(small), await serve(large)];
  const driver = new Driver();
  try {
    const rows: string[][] = [];
    for (const measure of MEASURES) {
      const { few, many, ratio } = await measureBoth(driver, measure, served);
      log(`${measure.name}: ${few.rate.toFixed()} and ${many.rate.toFixed()} a second`);
      rows.push([
        measure.name,
        few.rate.toFixed(),
        many.rate.toFixed(),
        ratio.toFixed(2),
        measure.target,
        few.p99.toFixed(1),
        many.p99.toFixed(1),
      ]);
    }
    return `### Calls

${CONNECTIONS} connections, each with one request at a time; medians of ${ROUNDS} rounds in turns,
${READS.toLocaleString('en')} requests a round (initiate: ${STARTS.toLocaleString('en')}, each by another
applicant). _Ratio_: how many times as many the small one answers, round by round, the median.

${barChart('growth-calls', {
  title: 'Answers a second with few journeys, as a multiple of those with very many',
  bars: rows.map(([label = '', , , text = '']) => ({ label, value: Number(text), text })),
})}

${table(['Call', 'small, a second', 'large, a second', 'ratio', 'target', 'small p99 ms', 'large p99 ms'], rows)}`;
  } finally {
    driver.close();
    for (const { service } of served) await service.stop();
  }
}

async function measureBoth(
  driver: Driver,
  measure: Measure,
  served: readonly Served[],
): Promise<Compared> {
  const results = served.map(() => [] as DriveResult[]);
  for (let round = -1; round < ROUNDS; round += 1) {
    // The sides take turns in going first.
    const turn = round % 2 === 0 ? [0, 1] : [1, 0];
    for (const index of turn) {
      const one = served[index];
      if (!one) continue;
      const order = await measure.order(one.side, round);
      await untilQuiet(one.side.client);
      const result = await drive(driver, one, order);
      await untilQuiet(one.side.client);
      if (round >= 0) results[index]?.push(result);
    }
  }
  const [few = [], many = []] = results;
  const rates = (side: readonly DriveResult[]) => side.map(({ rate }) => rate);
  return {
    few: mediansOf(few),
    many: mediansOf(many),
    ratio: medianRatio(rates(few), rates(many)),
  };
}

function mediansOf(side: readonly DriveResult[]): Rates {
  return {
    rate: medianOf(side.map(({ rate }) => rate)),
    p99: medianOf(side.map(({ p99 }) => p99)),
  };
}
