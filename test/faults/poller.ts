import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Partner } from './partner.ts';
import type { SeededRandom } from './seeded-random.ts';

interface Page {
  readonly events: readonly { id: string; journeyId?: string; sequence: number }[];
  readonly next: string;
  readonly hasMore: boolean;
}

const MAX_WAIT_MS = 300;
const MAX_FAILURES = 200;

/** A partner that polls its events from any replica and continues from the last cursor. */
export class Poller {
  readonly events: { id: string; journeyId: string; sequence: number; digest: string }[] = [];
  readonly alerts: string[] = [];
  #cursor = '';
  readonly #partner: Partner;
  readonly #random: SeededRandom;

  constructor(partner: Partner, random: SeededRandom) {
    this.#partner = partner;
    this.#random = random;
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#readOn();
      await sleep(this.#random.between(0, MAX_WAIT_MS));
    }
  }

  /** @throws Error when the service no longer responds */
  async readToTheEnd(): Promise<void> {
    for (let failures = 0, hasMore = true; hasMore;) {
      const page = await this.#readOn();
      hasMore = page?.hasMore ?? true;
      if (!page && (failures += 1) > MAX_FAILURES) {
        throw new Error(`the events cannot be read to their end: ${this.#partner.failures.at(-1)}`);
      }
    }
  }

  /** After a lost response the same page is read again, since its cursor is unknown. */
  async #readOn(): Promise<Page | null> {
    const limit = Math.ceil(this.#random.between(0.5, 99.5));
    const path = `/events?limit=${limit}&after=${this.#cursor}`;
    const replica = this.#partner.choose(this.#random);
    const call = { method: 'GET', path } as const;
    const { data: page } = await this.#partner.call<Page>(replica, call);
    if (!page) {
      await sleep(100);
      return null;
    }
    for (const event of page.events) {
      const { id, journeyId, sequence } = event;
      if (journeyId === undefined) this.alerts.push(id);
      else {
        const digest = createHash('sha256').update(JSON.stringify(event), 'utf8').digest('hex');
        this.events.push({ id, journeyId, sequence, digest });
      }
    }
    this.#cursor = page.next;
    return page;
  }
}
