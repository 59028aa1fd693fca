import { Injectable } from '@nestjs/common';
import { Keyring, type Tx } from '../../platform/index.js';

const PURPOSE = 'hosted_limits.subject';

/** What is limited on the way in, so that a code cannot be guessed, nor a person pestered. */
const LIMITS = {
  /** Three codes for a journey, then a pause. */
  CODES_OF_JOURNEY: { most: 3, seconds: 30 * 60 },
  /** However often the pause is sat out. */
  CODES_OF_JOURNEY_A_DAY: { most: 12, seconds: 24 * 3_600 },
  /** Many people share an address behind a mobile operator, so addresses are given more room. */
  CODES_TO_ADDRESS: { most: 60, seconds: 3_600 },
  /** Every code that is typed counts, and one that is right is given back. */
  TRIES_OF_ADDRESS: { most: 30, seconds: 3_600 },
  LINKS_OF_JOURNEY: { most: 3, seconds: 3_600 },
  LINKS_TO_ADDRESS: { most: 20, seconds: 3_600 },
} as const;

export type HostedLimit = keyof typeof LIMITS;

/**
 * Counts in the database, exactly over all replicas: a span of time starts with the first of what
 * is counted. Whom it is counted for is kept as a keyed hash.
 */
@Injectable()
export class HostedLimits {
  constructor(private readonly keyring: Keyring) {}

  /** Counts one more; answers null, or when the span ends for which there was one too many. */
  async take(tx: Tx, kind: HostedLimit, subject: string): Promise<Date | null> {
    const { most, seconds } = LIMITS[kind];
    const [row] = await tx.query<{ count: number; endsAt: Date }>(
      `INSERT INTO hosted_limits AS l (kind, subject_hash, count, ends_at)
       VALUES ($1, $2, 1, app_now() + $3 * interval '1 second')
       ON CONFLICT (kind, subject_hash) DO UPDATE SET
         count = CASE WHEN l.ends_at <= app_now() THEN 1 ELSE least(l.count, $4) + 1 END,
         ends_at = CASE WHEN l.ends_at <= app_now() THEN excluded.ends_at ELSE l.ends_at END
       RETURNING count, ends_at AS "endsAt"`,
      [kind, this.hashOf(subject), seconds, most],
    );
    return row && row.count > most ? row.endsAt : null;
  }

  /** Takes back what was counted last, for what turned out not to count. */
  async giveBack(tx: Tx, kind: HostedLimit, subject: string): Promise<void> {
    await tx.execute(
      `UPDATE hosted_limits SET count = count - 1
       WHERE kind = $1 AND subject_hash = $2 AND count > 0 AND ends_at > app_now()`,
      [kind, this.hashOf(subject)],
    );
  }

  /** When the span ends in which nothing more can be had; null while there is something left. */
  async lockedUntil(tx: Tx, kind: HostedLimit, subject: string): Promise<Date | null> {
    const [row] = await tx.query<{ endsAt: Date }>(
      `SELECT ends_at AS "endsAt" FROM hosted_limits
       WHERE kind = $1 AND subject_hash = $2 AND count >= $3 AND ends_at > app_now()`,
      [kind, this.hashOf(subject), LIMITS[kind].most],
    );
    return row?.endsAt ?? null;
  }

  private hashOf(subject: string): string {
    return this.keyring.lookupHash(subject, PURPOSE);
  }
}
