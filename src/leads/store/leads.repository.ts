import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/index.js';
import type { LeadsFilter } from '../leads-filter.js';
import { leadsPageStatement, type ListedLead } from './leads-page-statement.js';

/** Beside the total one lead, or none: a page that has no leads is one row, too. */
type PageRow = { readonly total: number } & (ListedLead | { readonly id: null });

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
  ): Promise<{ leads: ListedLead[]; total: number }> {
    const stretch = { offset: (page - 1) * limit, limit };
    const { text, values } = leadsPageStatement(partnerId, filter, stretch);
    const rows = await this.database.query<PageRow & Record<string, unknown>>(text, values);
    return {
      total: rows[0]?.total ?? 0,
      leads: rows.filter(isLead),
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

function isLead(row: PageRow): row is PageRow & ListedLead {
  return row.id !== null;
}
