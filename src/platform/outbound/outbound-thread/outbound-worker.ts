/**
 * The thread that posts: it is sent requests and answers each with what came of it. It imports nothing
 * of the service but what it posts with.
 */
import { workerData } from 'node:worker_threads';
import { answerOrders } from '../../threads/answer-orders.js';
import { GuardedClient, type OutboundAnswer } from '../guarded-client.js';
import { OutboundFailure } from '../outbound-failure.js';
import { machineMs, type OutboundSetUp, type Post, type Posted } from './posted.js';

const client = new GuardedClient((workerData as OutboundSetUp).isLoopback);

answerOrders(posted, () => client.close());

async function posted({ url, request, notAfter }: Post): Promise<Posted> {
  if (machineMs() > notAfter) throw new Error('too late to be sent');
  try {
    return { answer: withHeaders(await client.post(url, request), request.keptHeaders) };
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    const { reason, message, status, durationMs } = error;
    return { failure: { reason, message, status, durationMs } };
  }
}

function withHeaders(answer: OutboundAnswer, kept: readonly string[]): OutboundAnswer {
  const headers: Record<string, string | readonly string[] | undefined> = {};
  for (const name of kept) if (answer.headers[name]) headers[name] = answer.headers[name];
  return { ...answer, headers };
}
