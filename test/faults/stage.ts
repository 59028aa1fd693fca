import { createServer } from 'node:http';
import { Pool } from 'pg';
import { configurationWith } from '../support/configuration-with.ts';
import { FakeRazorpay, RAZORPAY_ACCOUNT } from '../support/fake-razorpay.ts';
import { freePort } from '../support/free-port.ts';
import { passOn } from '../support/pass-on.ts';
import { ReferenceLenders, remoteLenders, shippedTerms } from '../support/reference-lenders.ts';
import { DrivenJourney } from './driven-journey.ts';
import { DrivenLoan } from './driven-loan.ts';
import { Endpoints } from './endpoints.ts';
import { Partner } from './partner.ts';
import { Poller } from './poller.ts';
import { Replica } from './replica.ts';
import { SeededRandom } from './seeded-random.ts';
import { leapPastRetries, SENT_WITHIN_MS } from './time-leaps.ts';

export interface StageOptions {
  /** Has no rows; the tables may exist. */
  readonly databaseUrl: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly journeys: number;
  readonly loans: number;
  readonly seed: number;
  readonly replicas: number;
  /** Multiplies the pauses of partners and applicants; 1 is realistic. */
  readonly pace: number;
  /** The number of lender responses with random timing; null: all. */
  readonly randomAnswers: number | null;
  /** Receivers of every event, by their names in `ENDPOINTS`. */
  readonly endpoints: readonly string[];
  readonly hangsForMs?: number;
  /** The maximum time from a sender's lease of a lane to its post. */
  readonly sentWithinMs?: number;
}

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** The delay of a late response. */
const LATE_S = 1;
/** This lender keeps the fee of an instant loan that it declines. */
const KEEPS_FEES = 'kaverisetu';
/** Longer than a run: after the demonstration's deadlines a late offer would seem lost. */
const PATIENCE = { lenderDeadlineSeconds: 36_000, lenderGiveUpSeconds: 72_000 };

/** Starts replicas on one database, with their lenders, gateway, receivers, partners and applicants. */
export async function openStage(options: StageOptions, ending: AsyncDisposableStack) {
  const { databaseUrl, seed, pace, sentWithinMs = SENT_WITHIN_MS } = options;
  const random = new SeededRandom(seed);
  const [port, lenderPort] = [await freePort(), await freePort()];
  const rinpathUrl = `http://127.0.0.1:${port}`;
  const endpoints = await new Endpoints(seed, options.hangsForMs).start();
  ending.defer(() => endpoints.stop());
  const razorpay = await new FakeRazorpay().start();
  razorpay.refunds.startsAs = 'processed';
  ending.defer(() => razorpay.stop());
  let aheadMs = 0;
  const lenders = await ReferenceLenders.start({
    rinpathUrl,
    port: lenderPort,
    lenders: shippedTerms(),
    world: { chance: () => random.fraction(), now: () => new Date(Date.now() + aheadMs) },
  });
  ending.defer(() => lenders.stop());
  await lenders.order('*', '*', 'varied', { times: options.randomAnswers, seconds: LATE_S });
  const configuration = configurationWith((own) => ({
    lenders: remoteLenders(own.lenders as { code: string }[], lenderPort).map((lender) =>
      lender.code === KEEPS_FEES ? { ...lender, feeOnDecline: 'KEPT' } : lender,
    ),
    payment: {
      gateway: 'razorpay',
      razorpay: { ...RAZORPAY_ACCOUNT, apiBaseUrl: razorpay.url },
    },
    settings: { ...(own.settings as object), ...PATIENCE },
  }));
  ending.defer(() => configuration.remove());
  const pool = new Pool({ connectionString: databaseUrl, max: 2 }).on('error', () => undefined);
  ending.defer(() => pool.end());

  const variables = { ...options.env, BASE_URL: rinpathUrl, CONFIG_FILE: configuration.file };
  const createReplica = (name: string, more: Readonly<Record<string, string>> = {}) => {
    const url = new URL(databaseUrl);
    // `pg_stat_activity` shows this name.
    url.searchParams.set('application_name', name);
    return Replica.create(name, url.href, { ...variables, ...more });
  };
  const names = Array.from({ length: options.replicas }, (_, index) => `replica ${index + 1}`);
  const replicas = await Promise.all(names.map((name) => createReplica(name)));
  ending.defer(() => Promise.allSettled(replicas.map((replica) => replica.stop())).then(() => {}));

  const partner = new Partner(replicas);
  // The one address for lenders, the gateway and applicants.
  const balancer = createServer((request, response) =>
    passOn(request, response, new URL(partner.choose(random).baseUrl)),
  );
  await new Promise<void>((resolve) => balancer.listen(port, '127.0.0.1', resolve));
  ending.defer(async () => {
    balancer.closeAllConnections();
    await new Promise((resolve) => balancer.close(resolve));
  });
  const many = <Item>(length: number, make: (index: number) => Item) =>
    Array.from({ length }, (_, index) => make(index));
  return {
    endpoints,
    razorpay,
    lenders,
    pool,
    replicas,
    partner,
    poller: new Poller(partner, new SeededRandom(seed + 3)),
    journeys: many(options.journeys, (n) => new DrivenJourney(partner, seed, n, pace)),
    loans: many(options.loans, (n) => new DrivenLoan(partner, razorpay, { seed, pace }, n)),
    /** Starts one more. */
    addReplica: async (name: string, more: Readonly<Record<string, string>>) => {
      const replica = await createReplica(name, more);
      await replica.start();
      replicas.push(replica);
      return replica;
    },
    /** @returns the id of the subscription */
    subscribe: async (endpoint: string): Promise<string> => {
      const body = { url: endpoints.url(endpoint) };
      const call = { method: 'POST', path: '/webhooks', body } as const;
      const { data } = await partner.call<{ subscriptionId: string; secret: string }>(
        replicas[0],
        call,
      );
      if (!data) throw new Error(`the subscription failed: ${partner.failures.at(-1)}`);
      endpoints.secrets.set(endpoint, data.secret);
      return data.subscriptionId;
    },
    /** Moves the time of replicas and lenders, unless a post may be in flight. */
    leap: async (milliseconds: number) => {
      const isInFlight = () => endpoints.openNow > 0;
      if (await leapPastRetries(pool, milliseconds, isInFlight, sentWithinMs)) {
        aheadMs += milliseconds;
      }
    },
  };
}
