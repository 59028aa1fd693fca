import { Injectable } from '@nestjs/common';
import { Clock, Database, Fault, type Tx } from '../../platform/index.js';
import type { HostedKey } from '../store/hosted-sessions.repository.js';
import { type HostedLimit, HostedLimits } from './hosted-limits.js';

type AskedByPage = Extract<
  HostedLimit,
  'QUOTES_OF_JOURNEY' | 'SESSIONS_OF_JOURNEY' | 'VERDICTS_OF_JOURNEY'
>;

/** Limits how often the pages of a journey may ask its lender. */
@Injectable()
export class LenderAllowance {
  constructor(
    private readonly database: Database,
    private readonly limits: HostedLimits,
    private readonly clock: Clock,
  ) {}

  /** @returns null, or until when the limit is exceeded */
  take(kind: AskedByPage, journeyId: string): Promise<Date | null> {
    return this.database.transaction((tx) => this.limits.take(tx, kind, journeyId));
  }

  /** @throws Fault rate_limited */
  require(kind: AskedByPage, journeyId: string): Promise<void> {
    return this.database.transaction((tx) => this.requireIn(tx, kind, journeyId));
  }

  /**
   * In the caller's transaction: a refused call is not counted.
   * @throws Fault rate_limited
   */
  async requireIn(tx: Tx, kind: AskedByPage, journeyId: string): Promise<void> {
    const until = await this.limits.take(tx, kind, journeyId);
    if (!until) return;
    const waitMs = until.getTime() - this.clock.now().getTime();
    throw new Fault('rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) });
  }

  /** After a call that the lender did not answer: the page repeats it without the applicant. */
  giveBack(kind: AskedByPage, journeyId: string): Promise<void> {
    return this.database.transaction((tx) => this.limits.giveBack(tx, kind, journeyId));
  }
}

/** Limits the PDFs of statements that are not agreed to yet. */
@Injectable()
export class DraftAllowance {
  constructor(
    private readonly database: Database,
    private readonly limits: HostedLimits,
  ) {}

  /** @returns null, or until when the limit is exceeded */
  take({ journeyId }: HostedKey): Promise<Date | null> {
    return this.database.transaction((tx) =>
      this.limits.take(tx, 'DRAFT_PDFS_OF_JOURNEY', journeyId),
    );
  }
}
