/**
 * Measures whether memory stays flat under a steady mix of calls (some refused), applicants' pages, statements, PDFs
 * and searches, with lenders and webhooks. Takes ten minutes. `SOAK_MINUTES` sets another length (at least two),
 * `SOAK_RATE` the requests per second.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { SoakOrder, SoakResult } from './soak/load.ts';
import { startBenchServer } from './support/bench-server.ts';
import { startBuiltService } from './support/built-service.ts';
import { createDatabase } from './support/create-database.ts';
import { medianOf } from './support/interleaved.ts';
import { memory, processorTime } from './support/process-figures.ts';
import { barChart, surroundings, table, writeReport } from './support/report.ts';
import { SignedClient } from './support/signed-client.ts';
import type { Seen } from './webhooks/receiver.ts';

const MINUTES = Number(process.env.SOAK_MINUTES ?? 10);
const RATE = Number(process.env.SOAK_RATE ?? 400);
const SAMPLE_MS = 5_000;
const TARGET = 1.1;
const MAX_MB = 350;

interface Sample {
  readonly seconds: number;
  /** MB. */
  readonly memory: number;
}

interface Soaked {
  readonly samples: readonly Sample[];
  readonly result: SoakResult;
  readonly webhooks: number;
  /** Of one processor. */
  readonly processorShare: number;
}

export async function run(): Promise<void> {
  const server = await startBenchServer();
  const receiver = fork(fileURLToPath(new URL('webhooks/receiver.ts', import.meta.url)));
  try {
    const [{ ports }] = (await once(receiver, 'message')) as [{ ports: number[] }];
    const url = await createDatabase(server.url, 'soak');
    const service = await startBuiltService(url, { NODE_ENV: 'production' });
    try {
      await subscribe(service.baseUrl, `http://127.0.0.1:${ports[0]}/hook`);
      const markdown = reportOf(await soak(service, receiver));
      process.stdout.write(`\n${markdown}\n`);
      writeReport('soak', markdown);
    } finally {
      await service.stop();
    }
  } finally {
    receiver.kill();
    await server.stop();
  }
}

async function subscribe(baseUrl: string, url: string): Promise<void> {
  const client = new SignedClient(baseUrl);
  await client.post('/api/v1/partner/webhooks', JSON.stringify({ url }));
  client.close();
}

async function soak(
  service: { readonly baseUrl: string; readonly pid: number },
  receiver: ChildProcess,
): Promise<Soaked> {
  const load = fork(fileURLToPath(new URL('soak/load.ts', import.meta.url)));
  const stopLoad = () => load.kill('SIGKILL');
  process.once('exit', stopLoad);
  const order: SoakOrder = { baseUrl: service.baseUrl, seconds: MINUTES * 60, rate: RATE };
  const processorBefore = processorTime(service.pid);
  const ended = once(load, 'message') as Promise<[SoakResult]>;
  load.send(order);
  const samples = await sampled(service.pid);
  const processorShare = (processorTime(service.pid) - processorBefore) / (MINUTES * 60);
  const [result] = await ended;
  process.removeListener('exit', stopLoad);
  receiver.send('count');
  const [seen] = (await once(receiver, 'message')) as [Seen];
  return { samples, result, webhooks: seen.posts, processorShare };
}

/** Samples the memory of a process during the soak. */
async function sampled(pid: number): Promise<Sample[]> {
  const samples: Sample[] = [];
  const startedAt = performance.now();
  while (samples.length < (MINUTES * 60_000) / SAMPLE_MS) {
    await sleep(startedAt + (samples.length + 1) * SAMPLE_MS - performance.now());
    const sample = { seconds: (performance.now() - startedAt) / 1_000, memory: memory(pid) };
    samples.push(sample);
    process.stdout.write(`${sample.seconds.toFixed()} s: ${sample.memory.toFixed()} MB\n`);
  }
  return samples;
}

/** The median of the samples between two times, in seconds. */
function between(samples: readonly Sample[], from: number, to: number): number {
  return medianOf(
    samples.filter(({ seconds }) => seconds > from && seconds <= to).map((one) => one.memory),
  );
}

function reportOf({ samples, result, webhooks, processorShare }: Soaked): string {
  const first = between(samples, 45, 75);
  const last = between(samples, MINUTES * 60 - 60, MINUTES * 60 + SAMPLE_MS / 1_000);
  const minutes = Array.from({ length: MINUTES }, (_, minute) => minute);
  const chart = barChart('soak-memory', {
    title: 'Memory of the service, MB, minute by minute',
    bars: minutes.map((minute) => {
      const value = between(samples, minute * 60, minute * 60 + 60);
      return { label: `minute ${minute + 1}`, value, text: value.toFixed() };
    }),
  });
  const calls = table(
    ['Call', 'calls', 'answered otherwise than expected'],
    result.kinds.map(({ kind, calls: made, errors }) => [
      kind,
      made.toLocaleString('en'),
      String(errors),
    ]),
  );
  const errors = result.kinds
    .filter(({ firstError }) => firstError !== null)
    .map(({ kind, firstError }) => `- ${kind}: \`${firstError}\``);
  return [
    `## Soak

Resident memory, sampled every ${SAMPLE_MS / 1_000} seconds: ${first.toFixed()} MB around the end of the
first minute, ${last.toFixed()} MB in the last one: ${(last / first).toFixed(2)} times (target: within
${TARGET}). The most: ${Math.max(...samples.map((one) => one.memory)).toFixed()} MB (target: at most ${MAX_MB}).

${surroundings()}. ${MINUTES} minutes of ${RATE} calls a second to one process of the built service,
on embedded PostgreSQL, with three lenders that answer each new journey and a subscription that every
event is delivered to; ${webhooks.toLocaleString('en')} webhooks arrived. The service used
${processorShare.toFixed(2)} of one processor. ${result.leftOut} calls were left out because too many
waited.`,
    chart,
    calls,
    ...(errors.length > 0 ? [`The first of each kind:\n\n${errors.join('\n')}`] : []),
  ].join('\n\n');
}
