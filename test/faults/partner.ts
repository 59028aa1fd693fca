import { type Envelope, PartnerClient } from '../support/partner-client.ts';
import { sandboxCredentials } from '../support/sandbox-credentials.ts';
import type { Replica } from './replica.ts';
import type { SeededRandom } from './seeded-random.ts';

const USUAL = [200, 409, 503];

/**
 * The outcome of a call. `REFUSED`: no replica was listening, so nothing happened. `LOST`: the connection broke, so the
 * result is unknown.
 */
export type Outcome =
  | {
      readonly kind: 'ANSWERED';
      readonly status: number;
      readonly json: Envelope<Record<string, unknown>>;
    }
  | { readonly kind: 'REFUSED' | 'LOST' };

export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly session?: string;
  readonly idempotencyKey?: string;
  readonly mayBeRefused?: boolean;
}

/** Calls of the demonstration partner to any running replica, with their outcomes. */
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

  private async send(baseUrl: string, call: Call): Promise<Outcome> {
    const { method, path, body, session, idempotencyKey } = call;
    const headers: Record<string, string> = idempotencyKey
      ? { 'idempotency-key': idempotencyKey }
      : {};
    try {
      const client = new PartnerClient({ ...this.key, baseUrl });
      const { status, json } = await client.call(method, path, { body, session, headers });
      // A truncated response has no envelope.
      return 'success' in json ? { kind: 'ANSWERED', status, json } : { kind: 'LOST' };
    } catch (error) {
      const isRefused = (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
      return { kind: isRefused ? 'REFUSED' : 'LOST' };
    }
  }
}
