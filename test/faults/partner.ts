import { PartnerClient } from '../support/partner-client.ts';
import { sandboxCredentials } from '../support/sandbox-credentials.ts';
import type { Replica } from './replica.ts';
import type { SeededRandom } from './seeded-random.ts';

const USUAL: readonly unknown[] = [200, 409, 503];

/**
 * The result of a call. `REFUSED`: no replica was listening, so nothing happened. `LOST`: the connection broke, so
 * the outcome is unknown.
 */
interface Outcome<Data> {
  readonly status: number | 'REFUSED' | 'LOST';
  readonly json?: { readonly data: Data };
  /** Of a 200; null otherwise. */
  readonly data: Data | null;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly session?: string;
  readonly idempotencyKey?: string;
  /** Another status that is no failure. */
  readonly alsoUsual?: number;
}

/** Calls of the demonstration partner to any running replica, with their results. */
export class Partner {
  readonly outcomes = new Map<string, number>();
  readonly failures: string[] = [];
  readonly unanswered: string[] = [];
  readonly #replicas: readonly Replica[];
  readonly #calling: Replica[] = [];
  readonly #key = sandboxCredentials('demo', 'demo-load');

  constructor(replicas: readonly Replica[]) {
    this.#replicas = replicas;
  }

  choose(random: SeededRandom): Replica {
    const up = this.#replicas.filter(({ isUp }) => isUp);
    return random.pick(up.length > 0 ? up : this.#replicas);
  }

  async call<Data>(replica: Replica, call: Call): Promise<Outcome<Data>> {
    const from = performance.now();
    this.#calling.push(replica);
    const outcome = await this.#send<Data>(replica.baseUrl, call);
    this.#calling.splice(this.#calling.indexOf(replica), 1);
    const { status, json } = outcome;
    this.outcomes.set(String(status), (this.outcomes.get(String(status)) ?? 0) + 1);
    const what = `${call.method} ${call.path} of ${replica.name}: ${status}`;
    if (json === undefined) {
      const ms = Math.round(performance.now() - from);
      this.unanswered.push(`${what} after ${ms} ms at ${new Date().toISOString()}`);
    } else if (![...USUAL, call.alsoUsual].includes(status)) {
      this.failures.push(`${what} ${JSON.stringify(json)}`);
    }
    return outcome;
  }

  isCalling(replica: Replica): boolean {
    return this.#calling.includes(replica);
  }

  async #send<Data>(baseUrl: string, call: Call): Promise<Outcome<Data>> {
    const { method, path, body, session, idempotencyKey = null } = call;
    const headers = { 'idempotency-key': idempotencyKey };
    try {
      const client = new PartnerClient({ ...this.#key, baseUrl });
      const { status, json } = await client.call<Data>(method, path, { body, session, headers });
      // An incomplete response has no envelope.
      if (!('success' in json)) return { status: 'LOST', data: null };
      return { status, json, data: status === 200 ? json.data : null };
    } catch (error) {
      const isRefused = (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
      return { status: isRefused ? 'REFUSED' : 'LOST', data: null };
    }
  }
}
