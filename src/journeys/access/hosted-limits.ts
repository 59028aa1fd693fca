import { Injectable } from '@nestjs/common';
import {
  Clock,
  CountedLimits,
  Database,
  Fault,
  type Limit,
  type Tx,
} from '../../platform/index.js';
import { type OperatingSettings, ServiceSettings } from '../../settings/index.js';
import { ENTRY_LIMITS } from '../store/hosted-sessions.repository.js';

/** Settings are per hour. */
const LIMITS = {
  CODES_OF_JOURNEY: { most: 3, seconds: 30 * 60 },
  CODES_OF_JOURNEY_A_DAY: { most: 12, seconds: 24 * 3_600 },
  LINKS_OF_JOURNEY: { most: ENTRY_LIMITS.linksAnHour, seconds: 3_600 },
  /** Each amount is another PDF. */
  DRAFT_PDFS_OF_JOURNEY: { most: 30, seconds: 3_600 },
  /** The browser waits for these calls. */
  QUOTES_OF_JOURNEY: { most: 120, seconds: 3_600 },
  SESSIONS_OF_JOURNEY: { most: 30, seconds: 3_600 },
  VERDICTS_OF_JOURNEY: { most: 60, seconds: 3_600 },
  CODES_TO_ADDRESS: 'codesPerAddressPerHour',
  /** A right code is not counted. */
  TRIES_OF_ADDRESS: 'wrongCodesPerAddressPerHour',
  LINKS_TO_ADDRESS: 'linksPerAddressPerHour',
} as const satisfies Record<string, Limit | keyof OperatingSettings>;

type HostedLimit = keyof typeof LIMITS;

@Injectable()
export class HostedLimits {
  constructor(
    private readonly limits: CountedLimits,
    private readonly settings: ServiceSettings,
  ) {}

  /** @returns when the window ends, if the limit is exceeded; else null */
  async take(tx: Tx, kind: HostedLimit, subject: string): Promise<Date | null> {
    return this.limits.take(tx, kind, subject, await this.limit(kind));
  }

  giveBack(tx: Tx, kind: HostedLimit, subject: string): Promise<void> {
    return this.limits.giveBack(tx, kind, subject);
  }

  /** @returns when the exhausted window ends; else null */
  async lockedUntil(tx: Tx, kind: HostedLimit, subject: string): Promise<Date | null> {
    const { most } = await this.limit(kind);
    return this.limits.fullUntil(tx, kind, subject, most);
  }

  private async limit(kind: HostedLimit): Promise<Limit> {
    const limit = LIMITS[kind];
    if (typeof limit === 'object') return limit;
    const settings = await this.settings.operating();
    return { most: settings[limit], seconds: 3_600 };
  }
}

type AskedByPage = Extract<
  HostedLimit,
  'DRAFT_PDFS_OF_JOURNEY' | 'QUOTES_OF_JOURNEY' | 'SESSIONS_OF_JOURNEY' | 'VERDICTS_OF_JOURNEY'
>;

@Injectable()
export class JourneyAllowance {
  constructor(
    private readonly database: Database,
    private readonly limits: HostedLimits,
    private readonly clock: Clock,
  ) {}

  /** @returns until when the limit is exceeded, or null */
  take(kind: AskedByPage, journeyId: string): Promise<Date | null> {
    return this.database.transaction((tx) => this.limits.take(tx, kind, journeyId));
  }

  /** @throws Fault rate_limited */
  require(kind: AskedByPage, journeyId: string): Promise<void> {
    return this.database.transaction((tx) => this.requireIn(tx, kind, journeyId));
  }

  /**
   * In the caller's transaction, so a refused call is not counted.
   * @throws Fault rate_limited
   */
  async requireIn(tx: Tx, kind: AskedByPage, journeyId: string): Promise<void> {
    const until = await this.limits.take(tx, kind, journeyId);
    if (!until) return;
    const waitMs = until.getTime() - this.clock.now().getTime();
    throw new Fault('rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) });
  }

  /** For a call without an answer, which the page repeats. */
  giveBack(kind: AskedByPage, journeyId: string): Promise<void> {
    return this.database.transaction((tx) => this.limits.giveBack(tx, kind, journeyId));
  }
}
