import { Injectable } from '@nestjs/common';
import { Columns, Database } from '../../platform/index.js';
import { InstantLoanAuditRow } from './instant-loan-audit.entity.js';

const columns = new Columns(InstantLoanAuditRow);

/** Newer moves than so many hide the older ones. */
const MAX_MOVES = 100;

/** A change of an application's status, which its partner reads as the lead's. */
export type InstantLoanMove = Pick<
  InstantLoanAuditRow,
  'trigger' | 'fromStatus' | 'toStatus' | 'createdAt'
>;

/** How applications came to where they are, as their partners may read it. */
@Injectable()
export class InstantLoanHistories {
  constructor(private readonly database: Database) {}

  /** Newest first; empty when the partner has no such application. */
  of(partnerId: string, applicationId: string): Promise<InstantLoanMove[]> {
    return this.database.query<InstantLoanMove & Record<string, unknown>>(MOVES, [
      applicationId,
      partnerId,
      MAX_MOVES,
    ]);
  }
}

// What is recorded beside the moves (what lenders answered, what is paid back) is not the partner's to read.
const MOVES = `
  SELECT ${columns.selected(undefined, ['trigger', 'fromStatus', 'toStatus', 'createdAt'])}
  FROM instant_loan_audit
  WHERE application_id = $1 AND partner_id = $2 AND from_status IS DISTINCT FROM to_status
  ORDER BY id DESC LIMIT $3
`;
