import { Injectable } from '@nestjs/common';
import { Tx } from '../../platform/index.js';
import { OperatorFlagMetrics } from '../operator-flag-metrics.js';
import { OperatorFlag } from './operator-flag.entity.js';

/** Puts things before the operator, in the transaction in which they happened. */
@Injectable()
export class OperatorFlags {
  constructor(private readonly metrics: OperatorFlagMetrics) {}

  async raise(
    tx: Tx,
    {
      partnerId,
      subjectId,
      kind,
      detail,
    }: Pick<OperatorFlag, 'partnerId' | 'subjectId' | 'kind' | 'detail'>,
  ): Promise<void> {
    await tx.repository(OperatorFlag).insert({ partnerId, subjectId, kind, detail });
    tx.afterCommit(() => this.metrics.raised.inc({ kind }));
  }
}
