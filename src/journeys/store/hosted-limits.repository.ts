import { Injectable } from '@nestjs/common';
import { Columns, type Tx } from '../../platform/index.js';
import { HostedLimitCount } from './hosted-access.entity.js';

const columns = new Columns(HostedLimitCount);

/** A subject has one hash per current key; all are counted alike. */
@Injectable()
export class HostedLimitsRepository {
  async countOne(
    tx: Tx,
    kind: string,
    hashes: readonly string[],
    { most, seconds }: { readonly most: number; readonly seconds: number },
  ): Promise<Pick<HostedLimitCount, 'count' | 'endsAt'>[]> {
    return tx.query(
      `INSERT INTO hosted_limits AS l (${columns.list(['kind', 'subjectHash', 'count', 'endsAt'])})
       SELECT $1, hash, 1, app_now() + $3 * interval '1 second' FROM unnest($2::text[]) hash
       ON CONFLICT (kind, subject_hash) DO UPDATE SET
         count = CASE WHEN l.ends_at <= app_now() THEN 1 ELSE least(l.count, $4) + 1 END,
         ends_at = CASE WHEN l.ends_at <= app_now() THEN excluded.ends_at ELSE l.ends_at END
       RETURNING ${columns.selected('l', ['count', 'endsAt'])}`,
      [kind, hashes, seconds, most],
    );
  }

  async takeOneBack(tx: Tx, kind: string, hashes: readonly string[]): Promise<void> {
    await tx.execute(
      `UPDATE hosted_limits SET count = count - 1
       WHERE kind = $1 AND subject_hash = ANY ($2) AND count > 0 AND ends_at > app_now()`,
      [kind, hashes],
    );
  }

  async fullUntil(
    tx: Tx,
    kind: string,
    hashes: readonly string[],
    most: number,
  ): Promise<Date | null> {
    const [row] = await tx.query<Pick<HostedLimitCount, 'endsAt'>>(
      `SELECT ${columns.selected(undefined, ['endsAt'])} FROM hosted_limits
       WHERE kind = $1 AND subject_hash = ANY ($2) AND count >= $3 AND ends_at > app_now()
       ORDER BY ends_at DESC LIMIT 1`,
      [kind, hashes, most],
    );
    return row?.endsAt ?? null;
  }

  async deleteEnded(tx: Tx, most: number): Promise<void> {
    await tx.execute(DELETE_ENDED, [most]);
  }
}

const DELETE_ENDED = `
  DELETE FROM hosted_limits WHERE (kind, subject_hash) IN (
    SELECT kind, subject_hash FROM hosted_limits
    WHERE ends_at <= app_now() ORDER BY ends_at LIMIT $1 FOR UPDATE SKIP LOCKED)
`;

/** The pages quote these figures. */
export const ENTRY_LIMITS = {
  linkDays: 3,
  linksAnHour: 3,
  codeMinutes: 5,
  /** Wrong entries that void a code. */
  codeTries: 5,
  sessionIdleMinutes: 30,
};
