import { Injectable, Logger } from '@nestjs/common';
import { In, IsNull, JsonContains } from 'typeorm';
import { appNow, Tx } from '../../platform/index.js';
import type { ExactDetail, FlagDetail, FlagKind } from '../flag-catalogue.js';
import { OperatorFlag } from './operator-flag.entity.js';

export const OPERATOR_FLAG_ENTITIES = [OperatorFlag];

/** `partnerId` of a flag about no single partner. */
export const NO_PARTNER = '-';

interface NamedFlag extends Pick<OperatorFlag, 'subjectId' | 'kind'> {
  readonly cause?: string;
}

interface FlagSearch extends Partial<Pick<OperatorFlag, 'kind' | 'subjectId' | 'partnerId'>> {
  readonly isOpen: boolean;
}

export interface NewFlag<Kind extends FlagKind = FlagKind> {
  readonly subjectId: string;
  readonly kind: Kind;
  readonly partnerId: string;
  /** Internal words and ids only: a free text would let the lender raise unlimited flags. */
  readonly cause: readonly string[];
  readonly detail: FlagDetail<Kind>;
  readonly count?: number;
}

const RAISE = `
  INSERT INTO operator_flags (partner_id, subject_id, kind, cause, detail, count)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (subject_id, kind, cause) WHERE resolved_at IS NULL DO UPDATE
  SET count = operator_flags.count + excluded.count, last_seen_at = app_now(),
    detail = excluded.detail || jsonb_build_object('first',
      coalesce(operator_flags.detail -> 'first', operator_flags.detail))
  RETURNING id, count
`;

const NOTE = `
  WITH noted AS (
    UPDATE operator_flags SET count = count + 1, last_seen_at = app_now(), detail = $5
    WHERE subject_id = $2 AND kind = $3 AND cause = $4 AND resolved_at IS NOT NULL
    RETURNING id
  )
  INSERT INTO operator_flags (partner_id, subject_id, kind, cause, detail, resolved_at)
  SELECT $1, $2, $3, $4, $5, app_now() WHERE NOT EXISTS (SELECT FROM noted)
`;

/** Raises a flag in the transaction of its problem. */
@Injectable()
export class OperatorFlags {
  private readonly logger = new Logger(OperatorFlags.name);

  /** For an open flag, increases the count and keeps the first and last facts. */
  async raise<Kind extends FlagKind, Detail extends object>(
    tx: Tx,
    flag: NewFlag<Kind> & { readonly detail: ExactDetail<Kind, Detail> },
  ): Promise<void> {
    const { partnerId, subjectId, kind, cause, detail, count = 1 } = flag;
    const names = { kind, subject: subjectId, partner: partnerId, cause: cause.join(' ') };
    const values = [partnerId, subjectId, kind, names.cause, detail, count];
    const [raised] = await tx.query<Pick<OperatorFlag, 'id' | 'count'>>(RAISE, values);
    if (!isLogged(raised.count - count, raised.count)) return;
    const line = { msg: 'flag raised', flag: raised.id, ...names, count: raised.count };
    tx.afterCommit(() => this.logger.error(line));
  }

  /** Keeps facts without an action as one closed flag for each kind, subject and cause. */
  async note<Kind extends FlagKind, Detail extends object>(
    tx: Tx,
    {
      partnerId,
      subjectId,
      kind,
      cause,
      detail,
    }: NewFlag<Kind> & {
      readonly detail: ExactDetail<Kind, Detail>;
    },
  ): Promise<void> {
    await tx.execute(NOTE, [partnerId, subjectId, kind, cause.join(' '), detail]);
  }

  countOpen(tx: Tx): Promise<{ kind: string; count: number }[]> {
    return tx.query(
      `SELECT kind, count(*)::int AS count FROM operator_flags WHERE resolved_at IS NULL GROUP BY kind`,
    );
  }

  search(tx: Tx, { isOpen, ...named }: FlagSearch, most: number): Promise<OperatorFlag[]> {
    return tx.repository(OperatorFlag).find({
      where: { ...named, ...(isOpen && { resolvedAt: IsNull() }) },
      order: { lastSeenAt: 'DESC', id: 'DESC' },
      take: most,
    });
  }

  lockOpen(tx: Tx, kinds: readonly FlagKind[]): Promise<OperatorFlag[]> {
    return tx.repository(OperatorFlag).find({
      where: { kind: In(kinds), resolvedAt: IsNull() },
      order: { id: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
  }

  find(tx: Tx, id: number): Promise<OperatorFlag | null> {
    return tx.repository(OperatorFlag).findOneBy({ id });
  }

  /** @returns false when no such flag is open */
  async resolveByHand(
    tx: Tx,
    id: number,
    by: Pick<OperatorFlag, 'note' | 'resolvedBy'>,
  ): Promise<boolean> {
    return (
      (await tx.update(
        OperatorFlag,
        { id, resolvedAt: IsNull() },
        { ...by, resolvedAt: appNow },
      )) === 1
    );
  }

  list(tx: Tx, subjectId: string): Promise<OperatorFlag[]> {
    return tx.repository(OperatorFlag).find({ where: { subjectId }, order: { id: 'ASC' } });
  }

  exists(tx: Tx, flag: NamedFlag, facts: Record<string, unknown>): Promise<boolean> {
    return tx.repository(OperatorFlag).existsBy({ ...flag, detail: JsonContains(facts) });
  }

  isOpen(tx: Tx, flag: NamedFlag, facts: Record<string, unknown>): Promise<boolean> {
    const open = { ...flag, resolvedAt: IsNull(), detail: JsonContains(facts) };
    return tx.repository(OperatorFlag).existsBy(open);
  }

  async resolve(tx: Tx, flag: NamedFlag, facts: Record<string, unknown>): Promise<void> {
    const open = { ...flag, resolvedAt: IsNull(), detail: JsonContains(facts) };
    await tx.update(OperatorFlag, open, { resolvedAt: appNow });
  }

  /**
   * Closes open flags that meet an SQL condition on `f`. Skips locked ones, so needs no lock order.
   * @returns how many met it, at most `most`
   */
  async resolveWhere(
    tx: Tx,
    kinds: readonly FlagKind[],
    condition: string,
    most: number,
  ): Promise<number> {
    const met = await tx.query<{ id: string }>(
      `SELECT id FROM operator_flags AS f
       WHERE resolved_at IS NULL AND kind = ANY ($1) AND ${condition}
       LIMIT $2 FOR UPDATE SKIP LOCKED`,
      [kinds, most],
    );
    // Checked again under the lock: another replica may have raised one.
    await tx.execute(
      `UPDATE operator_flags AS f SET resolved_at = app_now() WHERE id = ANY ($1) AND ${condition}`,
      [met.map(({ id }) => id)],
    );
    return met.length;
  }
}

/** An ongoing problem remains visible without filling the log. */
function isLogged(before: number, after: number): boolean {
  return before === 0 || String(after).length > String(before).length;
}
