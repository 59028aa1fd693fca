import { Injectable } from '@nestjs/common';
import { Database, FreshReads } from '../../platform/index.js';
import {
  type LeadsFilter,
  leadsPageStatement,
  LISTED_COLUMNS,
  type ListedLead,
  newestLeadsStatement,
} from './leads-page-statement.js';

/** A page without leads is also one row. */
type PageRow = { readonly total: number } & (ListedLead | { readonly id: null });

export interface LeadsOfStatus {
  readonly loanType: string;
  readonly status: string;
  readonly leads: number;
}

@Injectable()
export class LeadsRepository {
  constructor(
    private readonly database: Database,
    private readonly lists: FreshReads,
  ) {}

  /** Newest first, then by id; one statement. */
  async list(
    partnerId: string,
    filter: LeadsFilter,
    { page, limit }: { page: number; limit: number },
  ): Promise<{ leads: ListedLead[]; total: number }> {
    if (filter.journeyId !== undefined || filter.applicationId !== undefined) {
      const leads = await this.named(partnerId, filter);
      return { leads: leads.slice((page - 1) * limit, page * limit), total: leads.length };
    }
    const stretch = { offset: (page - 1) * limit, limit };
    const { text, values } = leadsPageStatement(partnerId, filter, stretch);
    const rows = await this.lists.query<PageRow & Record<string, unknown>>(text, values);
    return {
      total: rows[0]?.total ?? 0,
      leads: rows.filter(isLead),
    };
  }

  /** By id, so that nothing is counted. */
  private named(partnerId: string, filter: LeadsFilter): Promise<ListedLead[]> {
    const { applicationId: id, journeyId, status, loanType, from, to } = filter;
    return this.lists.query<ListedLead & Record<string, unknown>>(NAMED, [
      partnerId,
      id,
      journeyId,
      status,
      loanType,
      from,
      to,
    ]);
  }

  /**
   * Keyset paging: every page costs the same.
   * @param before the partner's own id; an unknown one gives an empty page
   */
  newest(
    partnerId: string,
    { status, loanType }: Pick<LeadsFilter, 'status' | 'loanType'>,
    before: string | null,
    most: number,
  ): Promise<ListedLead[]> {
    const { text, values } = newestLeadsStatement(partnerId, { status, loanType }, before, most);
    return this.lists.query<ListedLead & Record<string, unknown>>(text, values);
  }

  async find(partnerId: string, id: string): Promise<ListedLead | null> {
    const [row] = await this.database.query<ListedLead & Record<string, unknown>>(
      `SELECT ${LISTED_COLUMNS} FROM applications WHERE partner_id = $1 AND id = $2`,
      [partnerId, id],
    );
    return row ?? null;
  }

  /** Without zeros. */
  countsByStatus(partnerId: string): Promise<LeadsOfStatus[]> {
    return this.lists.query<LeadsOfStatus & Record<string, unknown>>(COUNTS_BY_STATUS, [partnerId]);
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

// Pending deltas are few: the task folds them within moments.
const COUNTS_BY_STATUS = `
  SELECT loan_type AS "loanType", status, sum(leads)::bigint AS leads FROM (
    SELECT loan_type, status, leads FROM lead_counts
    WHERE partner_id = $1 AND loan_type <> '' AND status <> ''
    UNION ALL
    SELECT loan_type, status, change FROM lead_count_deltas WHERE partner_id = $1
  ) AS counted
  GROUP BY loan_type, status HAVING sum(leads) > 0
`;

const NAMED = `
  SELECT ${LISTED_COLUMNS} FROM applications
  WHERE partner_id = $1 AND ($2::text IS NULL OR id = $2)
    AND ($3::text IS NULL OR journey_id = $3) AND ($4::text IS NULL OR status = $4)
    AND ($5::text IS NULL OR loan_type = $5)
    AND ($6::timestamptz IS NULL OR submitted_at >= $6)
    AND ($7::timestamptz IS NULL OR submitted_at <= $7)
`;

function isLead(row: PageRow): row is PageRow & ListedLead {
  return row.id !== null;
}
