import { Injectable } from '@nestjs/common';
import type { Tx } from '../platform/index.js';
import { ServiceSettings, type SmsKind } from '../settings/index.js';
import { SmsLimitsRepository } from './store/sms-limits.repository.js';

/** Anyone who knows a mobile can request links; they must not use up its sign-in codes. */
const SHARE_OF_LINKS = 1 / 2;
const LINKS: ReadonlySet<SmsKind> = new Set(['HOSTED_LINK', 'APPLICATION_LINK']);

/**
 * Texts per mobile and day over all partners and kinds, at most half of them links. Counted exactly
 * in the database; a day starts with the first text. The mobile is a keyed hash.
 */
@Injectable()
export class SmsLimits {
  constructor(
    private readonly counts: SmsLimitsRepository,
    private readonly settings: ServiceSettings,
  ) {}

  /**
   * The count stays locked until the transaction ends, so take no lock after it that another
   * transaction may hold.
   * @returns whether it may be sent
   */
  async take(tx: Tx, mobile: string, kind: SmsKind): Promise<boolean> {
    const most = await this.most();
    const isLink = LINKS.has(kind);
    const maxLinks = Math.ceil(most * SHARE_OF_LINKS);
    if (isLink && !(await this.counts.count(tx, `links:${mobile}`, maxLinks))) return false;
    return this.counts.count(tx, mobile, most);
  }

  /** Null while texts are left. */
  async reachedUntil(tx: Tx, mobile: string): Promise<Date | null> {
    return this.counts.reachedUntil(tx, mobile, await this.most());
  }

  private async most(): Promise<number> {
    return (await this.settings.operating()).textsPerMobilePerDay;
  }
}
