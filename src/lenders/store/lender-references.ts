import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { type Tx } from '../../platform/index.js';
import { LenderReferenceRow } from './lender-reference.entity.js';

export type LenderReference = LenderReferenceRow;

/** What lenders call our applications and loans. They are kept as long as the books. */
@Injectable()
export class LenderReferences {
  /** Notes a reference, once. */
  async note(tx: Tx, reference: LenderReference): Promise<void> {
    await tx.insertOnce(LenderReferenceRow, reference);
  }

  /** What a lender calls our applications, and their loans. */
  async ofApplications(
    tx: Tx,
    lenderCode: string,
    applicationIds: readonly string[],
  ): Promise<LenderReference[]> {
    return tx
      .repository(LenderReferenceRow)
      .findBy({ lenderCode, applicationId: In([...applicationIds]) });
  }

  /** The loans of which a lender speaks under references of its own. */
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
