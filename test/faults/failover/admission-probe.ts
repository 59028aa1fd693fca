import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PartnerClient } from '../../support/partner-client.ts';
import type { KeyCredentials } from '../../support/sandbox-credentials.ts';
import type { Replica } from '../replica.ts';

interface Proof {
  readonly timestamp: string;
  readonly nonce: string;
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

const WINDOW_MS = 60_000;
/** More than 120 calls a minute, so that the probe reaches the limit. */
const GAP_MS = 90;
const REPLAYED = 25;
const PATH = '/products';
const REFUSALS = [429, 503];

/** A partner that calls throughout the run. */
export class AdmissionProbe {
  readonly findings: string[] = [];
  limited = 0;
  replayed = 0;
  /** Served calls, with the times of request and response. */
  readonly #served: (Span & Proof)[] = [];
  readonly #leaps: Span[] = [];
  readonly #clients: PartnerClient[] = [];
  readonly #key: KeyCredentials;

  constructor(replicas: readonly Replica[], key: KeyCredentials) {
    this.#key = key;
    for (const replica of replicas) this.alsoAsk(replica);
  }

  alsoAsk({ baseUrl }: Replica): void {
    this.#clients.push(new PartnerClient({ ...this.#key, baseUrl }));
  }

  async run(signal: AbortSignal): Promise<void> {
    for (let turn = 0; !signal.aborted; turn += 1) {
      const timestamp = String(Math.floor(Date.now() / 1000));
      const proof = { timestamp, nonce: randomUUID() };
      const fromMs = performance.now();
      const answer = await this.#answerOf(this.#clients[turn % this.#clients.length], proof);
      if (answer?.status === 429) this.limited += 1;
      else if (answer?.status === 200) {
        this.#served.push({ ...proof, fromMs, toMs: performance.now() });
      } else if (answer && !REFUSALS.includes(answer.status)) {
        this.findings.push(`GET ${PATH} was answered ${answer.status}`);
      }
      await sleep(GAP_MS);
    }
  }

  get served(): number {
    return this.#served.length;
  }

  async whileTimeLeaps(leap: () => Promise<void>): Promise<void> {
    const fromMs = performance.now();
    await leap();
    this.#leaps.push({ fromMs, toMs: performance.now() });
  }

  async replay(): Promise<void> {
    for (const { timestamp, nonce } of this.#served.slice(-REPLAYED)) {
      for (const client of this.#clients) {
        const answer = await this.#answerOf(client, { timestamp, nonce });
        if (answer?.status === 401 && answer.json.code === 'nonce_reused') this.replayed += 1;
        else if (answer && !REFUSALS.includes(answer.status)) {
          this.findings.push(`the nonce of a call that was served is answered ${answer.status}`);
        }
      }
    }
  }

  /** @param fromMs time by `performance.now()` */
  servedSince(fromMs: number): number {
    return this.#served.filter((call) => call.fromMs >= fromMs).length;
  }

  /** The longest time without a served call since `fromMs`. */
  longestGapMs(fromMs: number): number {
    const answers = this.#served.map(({ toMs }) => toMs).filter((at) => at >= fromMs);
    const moments = [fromMs, ...answers, performance.now()];
    const gaps = moments.slice(1).map((at, index) => at - moments[index]);
    return Math.round(Math.max(...gaps));
  }

  judge(limit: number): void {
    for (const { fromMs } of this.#served) {
      const end = fromMs + WINDOW_MS;
      if (this.#leaps.some((leap) => leap.fromMs < end && leap.toMs > fromMs)) continue;
      const within = this.#served.filter((call) => call.fromMs >= fromMs && call.toMs < end);
      if (within.length > limit) {
        this.findings.push(`${within.length} calls were served in a minute, not ${limit}`);
      }
    }
  }

  async #answerOf(client: PartnerClient, overrides: Proof) {
    try {
      return await client.get(PATH, { overrides });
    } catch (error) {
      this.findings.push(String(error));
      return null;
    }
  }
}
