import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startBuiltService } from '../support/built-service.ts';
import { medianOf } from '../support/interleaved.ts';
import { memory, peakMemory } from '../support/process-figures.ts';
import { table } from '../support/report.ts';
import { SignedClient } from '../support/signed-client.ts';
import { untilQuiet } from '../support/until-quiet.ts';
import { drive } from './measure.ts';
import type { Bench, Contestant } from './plan.ts';

const STARTS = 5;
const ROUNDS = 3;
/** MB. */
export const MEMORY_TARGET = 300;
export const START_TARGET_MS = 1_500;

/** The peak memory of each server, and of the service while it posts events to a receiver; also the time of a start. */
export async function footprintSection(bench: Bench): Promise<string> {
  const peaks = bench.everyone.map(({ name, pids }) => [name, peakOf(pids).toFixed()]);
  const service = bench.everyone.find(({ name }) => name === 'Rinpath');
  if (!service) throw new Error('Rinpath is not among the contestants');
  const { peak, after } = await withWebhooks(bench, service);
  const start = medianOf(await starts(bench));
  return `### Memory and start

${table(
  ['Server', 'MB at most'],
  [
    ...peaks,
    ['Rinpath, webhooks included', peak.toFixed()],
    ['Rinpath, afterwards', after.toFixed()],
  ],
)}

Required of Rinpath with its webhooks: ${MEMORY_TARGET} MB at most. From its start to ready on the database that is there: ${start.toFixed()} ms,
the median of ${STARTS} (required: ${START_TARGET_MS.toLocaleString('en')}).`;
}

function peakOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + peakMemory(pid), 0);
}

async function withWebhooks(bench: Bench, service: Contestant) {
  const receiver = fork(fileURLToPath(new URL('../webhooks/receiver.ts', import.meta.url)));
  try {
    const [{ ports }] = (await once(receiver, 'message')) as [{ ports: number[] }];
    const client = new SignedClient(`http://127.0.0.1:${service.ports[0]}`);
    const url = `http://127.0.0.1:${ports[0]}/hook`;
    await client.post('/api/v1/partner/webhooks', JSON.stringify({ url }));
    client.close();
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { call } of bench.plan) await drive(bench, call, service, call.requests);
    }
    await untilQuiet(bench.client);
    return { peak: peakOf(service.pids), after: memory(service.pids[0] ?? 0) };
  } finally {
    receiver.kill();
  }
}

async function starts({ url, variables }: Bench): Promise<number[]> {
  const times: number[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    const startedAt = performance.now();
    const service = await startBuiltService(url, variables);
    times.push(performance.now() - startedAt);
    await service.stop();
  }
  return times;
}
