import { setTimeout as sleep } from 'node:timers/promises';
import { connected } from '../support/create-database.ts';
import type { ContestantOrder } from './contestant.ts';
import { type Job, jobOf, makePoster } from './post.ts';
import { serviceContestant } from './service-contestant.ts';
import { stopwatch } from './stopwatch.ts';

/** The cost of sending the deliveries, from the start to the last record. */
export interface Measured {
  readonly seconds: number;
  /** Processor time of the contestant's process. */
  readonly processorMicros: number;
  /** Processor time of PostgreSQL. */
  readonly serverMicros: number;
}

export interface Contestant {
  /** Makes `count` deliveries, then sends them all; only the sending is measured. */
  send(count: number): Promise<Measured>;
  close(): Promise<void>;
}

type Make = (order: ContestantOrder) => Promise<Contestant>;

export const contestants = {
  'bare loop': bareLoop,
  service: serviceContestant,
  'graphile-worker': (order) => graphileWorker(order, {}),
  'graphile-worker with local queue': (order) =>
    graphileWorker(order, {
      localQueue: { size: 500 },
      completeJobBatchDelay: 0,
      failJobBatchDelay: 0,
    }),
  'pg-boss': pgBoss,
} as const satisfies Record<string, Make>;

export type ContestantName = keyof typeof contestants;

/** Only signing and posting: the upper limit of a sender. */
async function bareLoop(order: ContestantOrder): Promise<Contestant> {
  const poster = await makePoster();
  return {
    send: async (count) => {
      const jobs = jobsOf(order, count);
      const stop = stopwatch(order.dataDir);
      await sideBySide(jobs, order.inFlight, (job) => poster.post(job));
      return stop();
    },
    close: () => poster.close(),
  };
}

/** Its fastest or its plain settings: jobs that sign and post, removed when done. */
async function graphileWorker(order: ContestantOrder, settings: object): Promise<Contestant> {
  const { makeWorkerUtils, run } = await import('graphile-worker');
  const poster = await makePoster();
  const utils = await makeWorkerUtils({ connectionString: order.databaseUrl });
  await utils.migrate();
  const client = await connected(order.databaseUrl);
  return {
    send: async (count) => {
      await client.query(
        `SELECT graphile_worker.add_jobs(array_agg(
           ('deliver', job, NULL, now(), NULL, NULL, NULL, NULL)::graphile_worker.job_spec))
         FROM json_array_elements($1::json) AS job`,
        [JSON.stringify(jobsOf(order, count))],
      );
      await client.query('ANALYZE');
      let done = 0;
      const stop = stopwatch(order.dataDir);
      const runner = await run({
        connectionString: order.databaseUrl,
        taskList: {
          deliver: async (job: unknown) => {
            await poster.post(job as Job);
            done += 1;
          },
        },
        preset: {
          worker: { concurrentJobs: order.inFlight, maxPoolSize: 10, ...settings },
        },
        noHandleSignals: true,
        logger: await silentLogger(),
      } as never);
      await until(() => done === count);
      await until(async () => {
        const { rows } = await client.query<{ left: boolean }>(
          'SELECT EXISTS (SELECT FROM graphile_worker._private_jobs) AS left',
        );
        return !rows[0]?.left;
      });
      const measured = stop();
      await runner.stop();
      return measured;
    },
    close: async () => {
      await utils.release();
      await client.end();
      await poster.close();
    },
  };
}

async function silentLogger(): Promise<unknown> {
  const { Logger } = await import('graphile-worker');
  return new Logger(() => () => undefined);
}

/** Its fastest way: large batches, posted in parallel and completed at once. */
async function pgBoss(order: ContestantOrder): Promise<Contestant> {
  const { PgBoss } = await import('pg-boss');
  const poster = await makePoster();
  const boss = new PgBoss({ connectionString: order.databaseUrl, max: 10 });
  boss.on('error', (error) => process.stderr.write(`${String(error)}\n`));
  await boss.start();
  await boss.createQueue('deliver');
  const client = await connected(order.databaseUrl);
  return {
    send: async (count) => {
      const jobs = jobsOf(order, count);
      for (let first = 0; first < jobs.length; first += 1_000) {
        const lot = jobs.slice(first, first + 1_000).map((data) => ({ data }));
        await boss.insert('deliver', lot);
      }
      await client.query('ANALYZE');
      let done = 0;
      const stop = stopwatch(order.dataDir);
      const options = { batchSize: 2_000, pollingIntervalSeconds: 0.5, burstWhenBatchFull: true };
      await boss.work<Job>('deliver', options, async (batch) => {
        await sideBySide(batch, order.inFlight, ({ data }) => poster.post(data));
        done += batch.length;
      });
      await until(() => done === count);
      await boss.offWork('deliver');
      return stop();
    },
    close: async () => {
      await boss.stop({ graceful: false });
      await client.end();
      await poster.close();
    },
  };
}

async function sideBySide<Item>(
  items: readonly Item[],
  inFlight: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lane = async () => {
    for (let item = items[next++]; item; item = items[next++]) await work(item);
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
}

function jobsOf(order: ContestantOrder, count: number): ReturnType<typeof jobOf>[] {
  return Array.from({ length: count }, (_, index) =>
    jobOf(index, order.subscriptions, order.receiverPorts),
  );
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(2);
}
