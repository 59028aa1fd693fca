import { Injectable } from '@nestjs/common';
import type { Tx } from '../platform/index.js';
import { ServiceSettings, type SmsKind } from '../settings/index.js';
import { SmsLimitsRepository } from './store/sms-limits.repository.js';

/**
 * Anybody who knows a mobile can have links be sent to it. What they use up is not what its holder
 * signs in with.
 */
const SHARE_OF_LINKS = 1 / 2;
const LINKS: ReadonlySet<SmsKind> = new Set(['HOSTED_LINK', 'APPLICATION_LINK']);

/**
 * How many texts a mobile is sent in a day, whoever asked for them: over all partners, journeys and
 * kinds, and a half of them at most links. Counted in the database, exactly over all replicas; a day
 * starts with its first text. The mobile is kept as a keyed hash.
 */
@Injectable()
export class SmsLimits {
  constructor(
    private readonly counts: SmsLimitsRepository,
    private readonly settings: ServiceSettings,
  ) {}

  /**
   * Counts one more text. The mobile's count stays locked until the transaction ends, so nothing that
   * another transaction may hold is waited for after it.
   * @returns whether it may be sent
   */
  async take(tx: Tx, mobile: string, kind: SmsKind): Promise<boolean> {
    const most = await this.most();
    const isLink = LINKS.has(kind);
    const maxLinks = Math.ceil(most * SHARE_OF_LINKS);
    if (isLink && !(await this.counts.count(tx, `links:${mobile}`, maxLinks))) return false;
    return this.counts.count(tx, mobile, most);
  }

  /** When the day ends in which the mobile is sent nothing more; null while there is something left. */
  async reachedUntil(tx: Tx, mobile: string): Promise<Date | null> {
    return this.counts.reachedUntil(tx, mobile, await this.most());
  }

  /** Removes counts whose day is over; answers how many there were, at most as many as asked for. */
  removeEnded(most: number): Promise<number> {
    return this.counts.removeEnded(most);
  }

  private async most(): Promise<number> {
    return (await this.settings.operating()).textsPerMobilePerDay;
  }
}
