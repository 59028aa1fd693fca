import { Injectable } from '@nestjs/common';
import { Columns, Database } from '../../platform/index.js';
import { InstantLoanAuditRow } from './instant-loan-audit.entity.js';

const columns = new Columns(InstantLoanAuditRow);

/** Older moves are not shown. */
const MAX_MOVES = 100;

export type InstantLoanMove = Pick<
  InstantLoanAuditRow,
  'trigger' | 'fromStatus' | 'toStatus' | 'createdAt'
>;

@Injectable()
export class InstantLoanHistories {
  constructor(private readonly database: Database) {}

  /** Newest first; empty for another partner's application. */
  of(partnerId: string, applicationId: string): Promise<InstantLoanMove[]> {
    return this.database.query<InstantLoanMove & Record<string, unknown>>(MOVES, [
      applicationId,
      partnerId,
      MAX_MOVES,
    ]);
  }
}

// Entries other than moves (lenders' answers, refunds) are not for the partner.
const MOVES = `
  SELECT ${columns.selected(undefined, ['trigger', 'fromStatus', 'toStatus', 'createdAt'])}
  FROM instant_loan_audit
  WHERE application_id = $1 AND partner_id = $2 AND from_status IS DISTINCT FROM to_status
  ORDER BY id DESC LIMIT $3
`;
