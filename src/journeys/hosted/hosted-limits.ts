import { Injectable } from '@nestjs/common';
import { Keyring, type Tx } from '../../platform/index.js';
import { type OperatingSettings, ServiceSettings } from '../../settings/index.js';

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
  LINKS_OF_JOURNEY: { most: 3, seconds: 3_600 },
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
    private readonly keyring: Keyring,
    private readonly brand: ServiceSettings,
  ) {}

  /** Counts one more; answers null, or when the span ends for which there was one too many. */
  async take(tx: Tx, kind: HostedLimit, subject: string): Promise<Date | null> {
    const { most, seconds } = await this.limit(kind);
    const rows = await tx.query<{ count: number; endsAt: Date }>(
      `INSERT INTO hosted_limits AS l (kind, subject_hash, count, ends_at)
       SELECT $1, hash, 1, app_now() + $3 * interval '1 second' FROM unnest($2::text[]) hash
       ON CONFLICT (kind, subject_hash) DO UPDATE SET
         count = CASE WHEN l.ends_at <= app_now() THEN 1 ELSE least(l.count, $4) + 1 END,
         ends_at = CASE WHEN l.ends_at <= app_now() THEN excluded.ends_at ELSE l.ends_at END
       RETURNING count, ends_at AS "endsAt"`,
      [kind, this.hashesOf(subject), seconds, most],
    );
    return rows.find(({ count }) => count > most)?.endsAt ?? null;
  }

  /** Takes back what was counted last, for what turned out not to count. */
  async giveBack(tx: Tx, kind: HostedLimit, subject: string): Promise<void> {
    await tx.execute(
      `UPDATE hosted_limits SET count = count - 1
       WHERE kind = $1 AND subject_hash = ANY ($2) AND count > 0 AND ends_at > app_now()`,
      [kind, this.hashesOf(subject)],
    );
  }

  /** When the span ends in which nothing more can be had; null while there is something left. */
  async lockedUntil(tx: Tx, kind: HostedLimit, subject: string): Promise<Date | null> {
    const { most } = await this.limit(kind);
    const [row] = await tx.query<{ endsAt: Date }>(
      `SELECT ends_at AS "endsAt" FROM hosted_limits
       WHERE kind = $1 AND subject_hash = ANY ($2) AND count >= $3 AND ends_at > app_now()
       ORDER BY ends_at DESC LIMIT 1`,
      [kind, this.hashesOf(subject), most],
    );
    return row?.endsAt ?? null;
  }

  private async limit(kind: HostedLimit): Promise<Limit> {
    if (isOfJourney(kind)) return OF_JOURNEY[kind];
    const settings = await this.brand.settings();
    return { most: settings[OF_ADDRESS[kind]], seconds: 3_600 };
  }

  private hashesOf(subject: string): string[] {
    return this.keyring.countingHashes(subject, PURPOSE);
  }
}

function isOfJourney(kind: HostedLimit): kind is keyof typeof OF_JOURNEY {
  return kind in OF_JOURNEY;
}
