import type { IncomingHttpHeaders } from 'node:http';
import { workerData } from 'node:worker_threads';
import { answerOrders } from '../../threads/messages.js';
import { GuardedClient, type OutboundAnswer } from '../guarded-client.js';
import { OutboundFailure } from '../outbound-failure.js';
import { machineMs, TooLate } from '../exchange.js';
import type { OutboundSetUp, Post, Posted } from './outbound-thread.js';

/** Shared, so that a message contains it once. */
const NO_HEADERS: IncomingHttpHeaders = {};

const client = new GuardedClient((workerData as OutboundSetUp).isLoopback, {
  maxConnections: null,
});

answerOrders(posted, () => client.close());

async function posted({ url, headers, body, limits, notAfter }: Post): Promise<Posted> {
  if (machineMs() > notAfter) return { hasConnected: false };
  const { keptHeaders, ...ofClient } = limits;
  try {
    const answer = await client.post(url, { headers, body, notAfter, ...ofClient });
    const { status, excerpt, durationMs } = answer;
    return { status, headers: keptOf(answer, keptHeaders), excerpt, durationMs };
  } catch (error) {
    if (error instanceof TooLate) return { hasConnected: error.hasConnected };
    if (!(error instanceof OutboundFailure)) throw error;
    const { reason, message, status, durationMs } = error;
    return { reason, message, status, durationMs };
  }
}

function keptOf({ headers }: OutboundAnswer, names: readonly string[]): IncomingHttpHeaders {
  const kept = names.filter((name) => headers[name] !== undefined);
  if (kept.length === 0) return NO_HEADERS;
  return Object.fromEntries(kept.map((name) => [name, headers[name]]));
}
