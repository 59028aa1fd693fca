import { Injectable } from '@nestjs/common';
import { IsNull, JsonContains } from 'typeorm';
import { Tx } from '../../platform/index.js';
import { OperatorFlagMetrics } from '../operator-flag-metrics.js';
import { OperatorFlag } from './operator-flag.entity.js';

type NewFlag = Pick<OperatorFlag, 'partnerId' | 'subjectId' | 'kind' | 'detail'>;
type NamedFlag = Pick<OperatorFlag, 'subjectId' | 'kind'>;

/** Puts things before the operator, in the transaction in which they happened. */
@Injectable()
export class OperatorFlags {
  constructor(private readonly metrics: OperatorFlagMetrics) {}

  async raise(tx: Tx, { partnerId, subjectId, kind, detail }: NewFlag): Promise<void> {
    await tx.repository(OperatorFlag).insert({ partnerId, subjectId, kind, detail });
    tx.afterCommit(() => this.metrics.raised.inc({ kind }));
  }

  /** Those of a subject, oldest first. */
  list(tx: Tx, subjectId: string): Promise<OperatorFlag[]> {
    return tx.repository(OperatorFlag).find({ where: { subjectId }, order: { id: 'ASC' } });
  }

  /**
   * The same, unless one of its kind is open of the subject: for what goes on until it is mended.
   * @param facts which of its detail another must have to be the same; none when left out
   */
  async raiseOnce(tx: Tx, flag: NewFlag, facts: Record<string, unknown> = {}): Promise<void> {
    const { subjectId, kind } = flag;
    // Two replicas may meet it at the same moment.
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `operator_flags ${kind} ${subjectId}`,
    ]);
    const open = { subjectId, kind, resolvedAt: IsNull(), detail: JsonContains(facts) };
    if (!(await tx.repository(OperatorFlag).existsBy(open))) await this.raise(tx, flag);
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
