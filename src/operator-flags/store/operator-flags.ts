import { Injectable } from '@nestjs/common';
import { IsNull, JsonContains } from 'typeorm';
import { Tx } from '../../platform/index.js';
import type { ExactDetail, FlagDetail, FlagKind } from '../flag-catalogue.js';
import { OperatorFlagMetrics } from '../operator-flag-metrics.js';
import { OperatorFlag } from './operator-flag.entity.js';

interface NamedFlag extends Pick<OperatorFlag, 'subjectId' | 'kind'> {
  /** Every cause when left out. */
  readonly cause?: string;
}

/** A flag to raise. */
export interface NewFlag<Kind extends FlagKind = FlagKind> {
  readonly subjectId: string;
  readonly kind: Kind;
  readonly partnerId: string;
  /**
   * What keeps it apart from other flags of the same kind and subject: our own words and ids. Never a text or an id
   * that a lender chooses: the lender could then raise as many flags as it likes.
   */
  readonly cause: readonly string[];
  readonly detail: FlagDetail<Kind>;
  /** How often it happened; once when left out. */
  readonly count?: number;
}

const RAISE = `
  INSERT INTO operator_flags (partner_id, subject_id, kind, cause, detail, count)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (subject_id, kind, cause) WHERE resolved_at IS NULL DO UPDATE
  SET count = operator_flags.count + excluded.count, last_seen_at = app_now(),
    detail = excluded.detail || jsonb_build_object('first',
      coalesce(operator_flags.detail -> 'first', operator_flags.detail))
  RETURNING xmax = 0 AS "isNew"
`;

/** Puts things before the operator, in the transaction in which they happened. */
@Injectable()
export class OperatorFlags {
  constructor(private readonly metrics: OperatorFlagMetrics) {}

  /** One flag for each kind, subject and cause while it is open: again, it is counted, with the first and the last facts. */
  async raise<Kind extends FlagKind, Detail extends FlagDetail<Kind>>(
    tx: Tx,
    flag: NewFlag<Kind> & { readonly detail: ExactDetail<Kind, Detail> },
  ): Promise<void> {
    const { partnerId, subjectId, kind, cause, detail, count = 1 } = flag;
    const values = [partnerId, subjectId, kind, cause.join(' '), detail, count];
    const [{ isNew }] = await tx.query<{ isNew: boolean }>(RAISE, values);
    if (isNew) tx.afterCommit(() => this.metrics.raised.inc({ kind }));
  }

  /** Keeps facts that need no action, as a flag that is closed at once. */
  async note<Kind extends FlagKind, Detail extends FlagDetail<Kind>>(
    tx: Tx,
    { cause, ...flag }: NewFlag<Kind> & { readonly detail: ExactDetail<Kind, Detail> },
  ): Promise<void> {
    const closed = { ...flag, cause: cause.join(' '), resolvedAt: () => 'app_now()' };
    await tx.repository(OperatorFlag).insert(closed);
  }

  /** Those of a subject, oldest first. */
  list(tx: Tx, subjectId: string): Promise<OperatorFlag[]> {
    return tx.repository(OperatorFlag).find({ where: { subjectId }, order: { id: 'ASC' } });
  }

  /** Whether one of its kind was ever raised of the subject, whatever became of it. */
  exists(tx: Tx, flag: NamedFlag, facts: Record<string, unknown>): Promise<boolean> {
    return tx.repository(OperatorFlag).existsBy({ ...flag, detail: JsonContains(facts) });
  }

  /** The same, as long as it is open. */
  isOpen(tx: Tx, flag: NamedFlag, facts: Record<string, unknown>): Promise<boolean> {
    const open = { ...flag, resolvedAt: IsNull(), detail: JsonContains(facts) };
    return tx.repository(OperatorFlag).existsBy(open);
  }

  /** Closes those of a kind that are open of the subject: what they ask for has happened. */
  async resolve(tx: Tx, flag: NamedFlag, facts: Record<string, unknown>): Promise<void> {
    const open = { ...flag, resolvedAt: IsNull(), detail: JsonContains(facts) };
    await tx.repository(OperatorFlag).update(open, { resolvedAt: () => 'app_now()' });
  }
}
