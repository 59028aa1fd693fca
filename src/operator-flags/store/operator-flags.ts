import { Injectable } from '@nestjs/common';
import { Metrics, Tx } from '../../platform/index.js';
import { OperatorFlag } from './operator-flag.entity.js';

/** Puts things before the operator, in the transaction in which they came to pass. */
@Injectable()
export class OperatorFlags {
  constructor(private readonly metrics: Metrics) {}

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
    tx.afterCommit(() => this.metrics.operatorFlags.inc({ kind }));
  }
}
