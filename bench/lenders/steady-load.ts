/**
 * A process that starts journeys at a steady rate, whether or not earlier ones were answered. It gets its order over
 * IPC. At the end it returns the calls' durations, each from the time it was due.
 */
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { INITIATE_TARGET } from '../support/headless-journeys.ts';
import { demoLoadKey, signedHeaders } from '../support/signed-client.ts';
import { nextApplicant } from './applicants.ts';

export interface LoadOrder {
  readonly baseUrl: string;
  readonly seconds: number;
  /** Calls a second. */
  readonly rate: number;
  /** The number of the first applicant. */
  readonly from: number;
}

/** Milliseconds. */
export interface LoadResult {
  readonly calls: number;
  readonly p50: number;
  readonly p99: number;
  readonly failures: number;
  readonly firstFailure: string | null;
}

const TICK_MS = 5;
const MAX_SOCKETS = 256;
const key = demoLoadKey();

function initiate(agent: Agent, baseUrl: string, body: string): Promise<void> {
  const signed = signedHeaders(key, { method: 'POST', target: INITIATE_TARGET, body });
  const headers = { ...signed, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', agent, headers };
    const request = httpRequest(`${baseUrl}${INITIATE_TARGET}`, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`${response.statusCode} ${Buffer.concat(chunks).toString('utf8')}`));
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

async function load({ baseUrl, seconds, rate, from }: LoadOrder): Promise<LoadResult> {
  // A new agent per load: during a pause the service would close idle connections.
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
  const times: number[] = [];
  const calls: Promise<void>[] = [];
  let failures = 0;
  let firstFailure: string | null = null;
  const startedAt = performance.now();
  const call = async (number: number) => {
    const dueAt = startedAt + (number / rate) * 1_000;
    try {
      await initiate(agent, baseUrl, nextApplicant(from + number));
      times.push(performance.now() - dueAt);
    } catch (error) {
      failures += 1;
      firstFailure ??= String(error).slice(0, 300);
    }
  };
  for (let passed = 0; passed < seconds; passed = (performance.now() - startedAt) / 1_000) {
    for (const due = passed * rate; calls.length < due; calls.push(call(calls.length)));
    await sleep(TICK_MS);
  }
  await Promise.all(calls);
  agent.destroy();
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
  return { calls: calls.length, p50: at(0.5), p99: at(0.99), failures, firstFailure };
}

process.on('message', (order: LoadOrder) => {
  void load(order).then((result) => process.send?.(result));
});
