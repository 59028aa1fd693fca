import { Injectable } from '@nestjs/common';
import { Keyring, type Tx } from '../../platform/index.js';
import { type OperatingSettings, ServiceSettings } from '../../settings/index.js';
import { ENTRY_LIMITS } from '../domain/entry-limits.js';
import { HostedLimitsRepository } from '../store/hosted-limits.repository.js';

const PURPOSE = 'hosted_limits.subject';

interface Limit {
  readonly most: number;
  /** How long a span of time is. */
  readonly seconds: number;
}

/** By journey: a code cannot be guessed, nobody is pestered, and nobody keeps the others waiting. */
const OF_JOURNEY = {
  /** Three codes for a journey, then a pause. */
  CODES_OF_JOURNEY: { most: 3, seconds: 30 * 60 },
  /** However often the pause is sat out. */
  CODES_OF_JOURNEY_A_DAY: { most: 12, seconds: 24 * 3_600 },
  get LINKS_OF_JOURNEY() {
    return { most: ENTRY_LIMITS.linksAnHour, seconds: 3_600 };
  },
  /** Statements of an amount that is not agreed to yet: each is another one to draw. */
  DRAFT_PDFS_OF_JOURNEY: { most: 30, seconds: 3_600 },
  /** What a page has its lender asked while the browser waits; each is a call to somebody else. */
  QUOTES_OF_JOURNEY: { most: 120, seconds: 3_600 },
  SESSIONS_OF_JOURNEY: { most: 30, seconds: 3_600 },
  VERDICTS_OF_JOURNEY: { most: 60, seconds: 3_600 },
} as const satisfies Record<string, Limit>;

/** What holds off one client address, by the hour: as many as the operator's setting says. */
const OF_ADDRESS = {
  CODES_TO_ADDRESS: 'codesPerAddressPerHour',
  /** Every code that is typed counts, and one that is right is given back. */
  TRIES_OF_ADDRESS: 'wrongCodesPerAddressPerHour',
  LINKS_TO_ADDRESS: 'linksPerAddressPerHour',
} as const satisfies Record<string, keyof OperatingSettings>;

export type HostedLimit = keyof typeof OF_JOURNEY | keyof typeof OF_ADDRESS;

/**
 * Counts in the database, exactly over all replicas: a span of time starts with the first of what
 * is counted. Whom it is counted for is kept as a keyed hash.
 */
@Injectable()
export class HostedLimits {
  constructor(
    private readonly counts: HostedLimitsRepository,
    private readonly keyring: Keyring,
    private readonly settings: ServiceSettings,
  ) {}

  /** Counts one more; answers null, or when the span ends for which there was one too many. */
  async take(tx: Tx, kind: HostedLimit, subject: string): Promise<Date | null> {
    const limit = await this.limit(kind);
    const counts = await this.counts.countOne(tx, kind, this.hashesOf(subject), limit);
    return counts.find(({ count }) => count > limit.most)?.endsAt ?? null;
  }

  /** Takes back what was counted last, for what turned out not to count. */
  giveBack(tx: Tx, kind: HostedLimit, subject: string): Promise<void> {
    return this.counts.takeOneBack(tx, kind, this.hashesOf(subject));
  }

  /** When the span ends in which nothing more can be had; null while there is something left. */
  async lockedUntil(tx: Tx, kind: HostedLimit, subject: string): Promise<Date | null> {
    const { most } = await this.limit(kind);
    return this.counts.fullUntil(tx, kind, this.hashesOf(subject), most);
  }

  private async limit(kind: HostedLimit): Promise<Limit> {
    if (isOfJourney(kind)) return OF_JOURNEY[kind];
    const settings = await this.settings.operating();
    return { most: settings[OF_ADDRESS[kind]], seconds: 3_600 };
  }

  private hashesOf(subject: string): string[] {
    return this.keyring.countingHashes(subject, PURPOSE);
  }
}

function isOfJourney(kind: HostedLimit): kind is keyof typeof OF_JOURNEY {
  return kind in OF_JOURNEY;
}
