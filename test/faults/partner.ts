import { createHmac, randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { sandboxCredentials } from '../support/sandbox-credentials.ts';
import type { Replica } from './replica.ts';
import type { SeededRandom } from './seeded-random.ts';

const PREFIX = '/api/v1/partner';
const TIMEOUT_MS = 20_000;
const USUAL = [200, 409, 503];

export interface Envelope {
  success: boolean;
  data: Record<string, unknown>;
  error?: string;
  code?: string;
}

/**
 * What came of a call. `REFUSED`: nobody was listening, so nothing happened; `LOST`: the connection
 * broke, so nobody can tell.
 */
export type Outcome =
  | { readonly kind: 'ANSWERED'; readonly status: number; readonly json: Envelope }
  | { readonly kind: 'REFUSED' | 'LOST' };

export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly session?: string;
  readonly idempotencyKey?: string;
  readonly mayBeRefused?: boolean;
}

/** Calls of the demonstration partner, through whatever replica is up, with what came of them. */
export class Partner {
  readonly outcomes = new Map<string, number>();
  readonly failures: string[] = [];
  readonly unanswered: string[] = [];
  private readonly replicas: readonly Replica[];
  private readonly calling = new Map<Replica, number>();
  private readonly key = sandboxCredentials('demo', 'demo-load');

  constructor(replicas: readonly Replica[]) {
    this.replicas = replicas;
  }

  choose(random: SeededRandom, without?: Replica): Replica {
    const others = this.replicas.filter((replica) => replica !== without);
    const up = others.filter(({ isUp }) => isUp);
    return random.pick(up.length > 0 ? up : others);
  }

  async call(replica: Replica, call: Call): Promise<Outcome> {
    const from = performance.now();
    this.calling.set(replica, this.callsTo(replica) + 1);
    const outcome = await this.send(replica.baseUrl, call);
    this.calling.set(replica, this.callsTo(replica) - 1);
    if (outcome.kind !== 'ANSWERED') this.notAnswered(replica, call, outcome.kind, from);
    const name = outcome.kind === 'ANSWERED' ? String(outcome.status) : outcome.kind;
    this.outcomes.set(name, (this.outcomes.get(name) ?? 0) + 1);
    const usual = call.mayBeRefused ? [...USUAL, 400] : USUAL;
    const isExpected = outcome.kind !== 'ANSWERED' || usual.includes(outcome.status);
    if (!isExpected) {
      const { status, json } = outcome;
      this.failures.push(`${call.method} ${call.path}: ${status} ${JSON.stringify(json)}`);
    }
    return outcome;
  }

  isCalling(replica: Replica): boolean {
    return this.callsTo(replica) > 0;
  }

  private callsTo(replica: Replica): number {
    return this.calling.get(replica) ?? 0;
  }

  private notAnswered(replica: Replica, call: Call, kind: string, from: number): void {
    const ms = Math.round(performance.now() - from);
    const at = new Date().toISOString();
    this.unanswered.push(
      `${call.method} ${call.path} of ${replica.name}: ${kind} after ${ms} ms at ${at}`,
    );
  }

  private send(baseUrl: string, call: Call): Promise<Outcome> {
    const target = PREFIX + call.path;
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    const { hostname, port } = new URL(baseUrl);
    const { method } = call;
    const headers = this.headers(call, target, body);
    return new Promise((resolve) => {
      const request = httpRequest({ hostname, port, method, path: target, agent: false, headers });
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', () => resolve({ kind: 'LOST' }));
        response.on('end', () => {
          resolve(answered(response.statusCode ?? 0, Buffer.concat(chunks)));
        });
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        resolve({ kind: error.code === 'ECONNREFUSED' ? 'REFUSED' : 'LOST' });
      });
      request.setTimeout(TIMEOUT_MS, () => request.destroy());
      request.end(body);
    });
  }

  private headers(call: Call, target: string, body: string | undefined): Record<string, string> {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const nonce = randomUUID();
    const message = [call.method, target, timestamp, nonce, body ?? ''].join('\n');
    const signature = createHmac('sha256', this.key.apiSecret).update(message).digest('hex');
    return {
      'x-api-key': this.key.apiKey,
      'x-timestamp': timestamp,
      'x-nonce': nonce,
      'x-signature': signature,
      'content-length': String(Buffer.byteLength(body ?? '')),
      ...(call.session !== undefined && { 'x-journey-session': call.session }),
      ...(call.idempotencyKey !== undefined && { 'idempotency-key': call.idempotencyKey }),
    };
  }
}

function answered(status: number, body: Buffer): Outcome {
  try {
    const json = JSON.parse(body.toString('utf8')) as Envelope;
    return { kind: 'ANSWERED', status, json };
  } catch {
    return { kind: 'LOST' };
  }
}
