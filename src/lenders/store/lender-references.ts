import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import type { Tx } from '../../platform/index.js';
import { LenderInboxRow, LenderQuestionRow, LenderReferenceRow } from './lender-question.entity.js';
import { LenderPayout, LenderStatement, LenderStatementPayout } from './lender-statement.entity.js';

export type LenderReference = LenderReferenceRow;

/** Kept as long as the books. */
@Injectable()
export class LenderReferences {
  async note(tx: Tx, reference: LenderReference): Promise<void> {
    await tx.insertOnce(LenderReferenceRow, reference);
  }

  async ofApplications(
    tx: Tx,
    lenderCode: string,
    applicationIds: readonly string[],
  ): Promise<LenderReference[]> {
    return tx
      .repository(LenderReferenceRow)
      .findBy({ lenderCode, applicationId: In([...applicationIds]) });
  }

  async loansNamed(
    tx: Tx,
    lenderCode: string,
    references: readonly string[],
  ): Promise<LenderReference[]> {
    return tx
      .repository(LenderReferenceRow)
      .findBy({ lenderCode, kind: 'LOAN', reference: In([...references]) });
  }
}

export const LENDER_ENTITIES = [
  LenderInboxRow,
  LenderPayout,
  LenderQuestionRow,
  LenderReferenceRow,
  LenderStatement,
  LenderStatementPayout,
];
