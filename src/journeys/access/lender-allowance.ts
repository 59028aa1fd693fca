import { Injectable } from '@nestjs/common';
import { Clock, Database, Fault, type Tx } from '../../platform/index.js';
import { type HostedLimit, HostedLimits } from './hosted-limits.js';

type AskedByPage = Extract<
  HostedLimit,
  'QUOTES_OF_JOURNEY' | 'SESSIONS_OF_JOURNEY' | 'VERDICTS_OF_JOURNEY'
>;

/** How often the pages of a journey may have its lender asked, whoever opens them. */
@Injectable()
export class LenderAllowance {
  constructor(
    private readonly database: Database,
    private readonly limits: HostedLimits,
    private readonly clock: Clock,
  ) {}

  /** Counts one more; answers null, or until when the lender is asked no more. */
  take(kind: AskedByPage, journeyId: string): Promise<Date | null> {
    return this.database.transaction((tx) => this.limits.take(tx, kind, journeyId));
  }

  /** @throws Fault rate_limited when there was one too many */
  require(kind: AskedByPage, journeyId: string): Promise<void> {
    return this.database.transaction((tx) => this.requireIn(tx, kind, journeyId));
  }

  /** As `require`, in the caller's transaction. It rolls back when the limit is exceeded, and nothing is counted. */
  async requireIn(tx: Tx, kind: AskedByPage, journeyId: string): Promise<void> {
    const until = await this.limits.take(tx, kind, journeyId);
    if (!until) return;
    const waitMs = until.getTime() - this.clock.now().getTime();
    throw new Fault('rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) });
  }
}
