import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PartnerClient } from '../../support/partner-client.ts';
import type { KeyCredentials } from '../../support/sandbox-credentials.ts';
import type { Replica } from '../replica.ts';

interface Served {
  readonly timestamp: string;
  readonly nonce: string;
  readonly sentAtMs: number;
  readonly answeredAtMs: number;
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

const WINDOW_MS = 60_000;
/** More than 120 calls a minute, so that the limit is reached, too. */
const GAP_MS = 90;
const REPLAYED = 25;
const PATH = '/products';
const REFUSALS = new Set([429, 503]);

/** A partner that calls throughout the run. */
export class AdmissionProbe {
  readonly findings: string[] = [];
  served = 0;
  limited = 0;
  replayed = 0;
  private readonly leaps: Span[] = [];
  private readonly log: Served[] = [];
  private readonly clients: PartnerClient[];
  private readonly key: KeyCredentials;

  constructor(replicas: readonly Replica[], key: KeyCredentials) {
    this.key = key;
    this.clients = [];
    for (const replica of replicas) this.alsoAsk(replica);
  }

  alsoAsk({ baseUrl }: Replica): void {
    this.clients.push(new PartnerClient({ ...this.key, baseUrl }));
  }

  async run(signal: AbortSignal): Promise<void> {
    for (let turn = 0; !signal.aborted; turn += 1) {
      await this.ask(this.clients[turn % this.clients.length]);
      await sleep(GAP_MS);
    }
  }

  async whileTimeLeaps(leap: () => Promise<void>): Promise<void> {
    const fromMs = performance.now();
    await leap();
    this.leaps.push({ fromMs, toMs: performance.now() });
  }

  async replay(): Promise<void> {
    for (const { timestamp, nonce } of this.log.slice(-REPLAYED)) {
      for (const client of this.clients) {
        const answer = await this.answerOf(client, { timestamp, nonce });
        if (!answer) continue;
        const { status, json } = answer;
        if (status === 401 && json.code === 'nonce_reused') this.replayed += 1;
        else if (!REFUSALS.has(status)) {
          this.findings.push(`the nonce of a call that was served is answered ${status}`);
        }
      }
    }
  }

  /** The number of served calls that were sent since a moment (of `performance.now()`). */
  servedSince(fromMs: number): number {
    return this.log.filter(({ sentAtMs }) => sentAtMs >= fromMs).length;
  }

  /** The longest time since a moment in which no call was served. */
  longestGapMs(fromMs: number): number {
    const answers = this.log.map(({ answeredAtMs }) => answeredAtMs).filter((at) => at >= fromMs);
    let last = fromMs;
    let longest = 0;
    for (const at of [...answers, performance.now()]) {
      longest = Math.max(longest, at - last);
      last = at;
    }
    return Math.round(longest);
  }

  judge(limit: number): void {
    for (const { sentAtMs } of this.log) {
      if (this.hasLeapt(sentAtMs, sentAtMs + WINDOW_MS)) continue;
      const within = this.log.filter((one) => {
        return one.sentAtMs >= sentAtMs && one.answeredAtMs < sentAtMs + WINDOW_MS;
      });
      if (within.length > limit) {
        this.findings.push(`${within.length} calls were served in a minute, not ${limit}`);
      }
    }
  }

  private hasLeapt(fromMs: number, toMs: number): boolean {
    return this.leaps.some((leap) => leap.fromMs < toMs && leap.toMs > fromMs);
  }

  private async ask(client: PartnerClient): Promise<void> {
    const nonce = randomUUID();
    const timestamp = String(Math.floor(Date.now() / 1000));
    const sentAtMs = performance.now();
    const answer = await this.answerOf(client, { timestamp, nonce });
    if (!answer) return;
    const { status } = answer;
    if (status === 429) this.limited += 1;
    else if (status === 200) {
      this.served += 1;
      this.log.push({ timestamp, nonce, sentAtMs, answeredAtMs: performance.now() });
    } else if (!REFUSALS.has(status)) this.findings.push(`GET ${PATH} was answered ${status}`);
  }

  private async answerOf(client: PartnerClient, overrides: Pick<Served, 'timestamp' | 'nonce'>) {
    try {
      return await client.get(PATH, { overrides });
    } catch (error) {
      this.findings.push(String(error));
      return null;
    }
  }
}
