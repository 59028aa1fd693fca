import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Partner } from '../partner.ts';
import type { SeededRandom } from '../seeded-random.ts';

export interface PolledEvent {
  readonly id: string;
  readonly journeyId: string;
  readonly sequence: number;
  readonly digest: string;
}

interface Page {
  events: { id: string; journeyId?: string; sequence: number }[];
  next: string;
  hasMore: boolean;
}

const MAX_WAIT_MS = 300;
const MAX_FAILURES = 200;

/** A partner that polls its events from any replica throughout the run, and continues after its last response. */
export class Poller {
  readonly events: PolledEvent[] = [];
  readonly alerts: string[] = [];
  private cursor = '';
  private readonly partner: Partner;
  private readonly random: SeededRandom;

  constructor(partner: Partner, random: SeededRandom) {
    this.partner = partner;
    this.random = random;
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.readOn();
      await sleep(this.random.between(0, MAX_WAIT_MS));
    }
  }

  /** @throws Error if the service no longer responds */
  async readToTheEnd(): Promise<void> {
    for (let failures = 0, hasMore = true; hasMore;) {
      const page = await this.readOn();
      hasMore = page?.hasMore ?? true;
      if (!page && (failures += 1) > MAX_FAILURES) {
        throw new Error(`the events cannot be read to their end: ${this.partner.failures.at(-1)}`);
      }
    }
  }

  /** A lost response is requested again, because its cursor is unknown. */
  private async readOn(): Promise<Page | null> {
    const limit = Math.ceil(this.random.between(0.5, 99.5));
    const path = `/events?limit=${limit}&after=${this.cursor}`;
    const replica = this.partner.choose(this.random);
    const outcome = await this.partner.call(replica, { method: 'GET', path });
    if (outcome.kind !== 'ANSWERED' || outcome.status !== 200) {
      await sleep(100);
      return null;
    }
    const page = outcome.json.data as unknown as Page;
    for (const event of page.events) {
      const { id, journeyId, sequence } = event;
      if (journeyId === undefined) {
        this.alerts.push(id);
        continue;
      }
      const digest = createHash('sha256').update(JSON.stringify(event), 'utf8').digest('hex');
      this.events.push({ id, journeyId, sequence, digest });
    }
    this.cursor = page.next;
    return page;
  }
}
