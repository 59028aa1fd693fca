import { Injectable } from '@nestjs/common';
import type { Paise } from '../loans/index.js';
import { Database } from '../platform/index.js';
import type { LeadsFilter } from './leads-filter.js';
import { leadsPageStatement } from './leads-page-statement.js';

export interface LeadRow {
  readonly id: string;
  readonly loanType: string;
  readonly loanAmount: Paise;
  readonly status: string;
  readonly journeyId: string | null;
  readonly submittedAt: Date;
}

interface PageRow {
  total: number;
  id: string | null;
  loan_type: string;
  loan_amount: number;
  status: string;
  journey_id: string | null;
  submitted_at: Date;
}

@Injectable()
export class LeadsRepository {
  constructor(private readonly database: Database) {}

  /**
   * One page, newest first (of one and the same moment, by id), and how many the filter matches;
   * both in one statement, so that they belong together.
   */
  async list(
    partnerId: string,
    filter: LeadsFilter,
    { page, limit }: { page: number; limit: number },
  ): Promise<{ leads: LeadRow[]; total: number }> {
    const stretch = { offset: (page - 1) * limit, limit };
    const { text, values } = leadsPageStatement(partnerId, filter, stretch);
    const rows = await this.database.query<PageRow & Record<string, unknown>>(text, values);
    return {
      total: rows[0]?.total ?? 0,
      leads: rows.flatMap((row) => (row.id === null ? [] : [leadOf(row, row.id)])),
    };
  }

  async findStatus(partnerId: string, id: string): Promise<string | null> {
    const [row] = await this.database.prepared<{ status: string }>(
      'lead-status',
      'SELECT status FROM applications WHERE id = $1 AND partner_id = $2',
      [id, partnerId],
    );
    return row?.status ?? null;
  }
}

function leadOf(row: PageRow, id: string): LeadRow {
  return {
    id,
    loanType: row.loan_type,
    loanAmount: row.loan_amount,
    status: row.status,
    journeyId: row.journey_id,
    submittedAt: row.submitted_at,
  };
}
