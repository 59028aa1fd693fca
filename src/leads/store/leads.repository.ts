import { Injectable } from '@nestjs/common';
import { Database, FreshReads } from '../../platform/index.js';
import type { Application } from './application.entity.js';
import {
  type LeadsFilter,
  leadsPageStatement,
  LISTED_COLUMNS,
  type ListedLead,
  newestLeadsStatement,
  type Statement,
  type Stretch,
} from './leads-page-statement.js';

/** A page without leads is also one row. */
type PageRow = { readonly total: number } & (ListedLead | { readonly id: null });

type LeadNow = Pick<Application, 'status' | 'journeyId' | 'referenceSealed' | 'updatedAt'>;

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
    const stretch = { offset: (page - 1) * limit, limit };
    const { text, values } = isNamed(filter)
      ? namedStatement(partnerId, filter, stretch)
      : leadsPageStatement(partnerId, filter, stretch);
    const rows = await this.lists.query<PageRow>(text, values);
    return {
      total: rows[0]?.total ?? 0,
      leads: rows.filter(isLead),
    };
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
    return this.lists.query(text, values);
  }

  find(partnerId: string, id: string): Promise<ListedLead | null> {
    return this.database.first(
      `SELECT ${LISTED_COLUMNS} FROM applications WHERE partner_id = $1 AND id = $2`,
      [partnerId, id],
    );
  }

  /** Without zeros. */
  countsByStatus(partnerId: string): Promise<LeadsOfStatus[]> {
    return this.lists.query(COUNTS_BY_STATUS, [partnerId]);
  }

  async findStatus(partnerId: string, id: string): Promise<LeadNow | null> {
    const [row] = await this.database.prepared<LeadNow>(
      'lead-status',
      `SELECT status, journey_id AS "journeyId", reference_sealed AS "referenceSealed",
         updated_at AS "updatedAt"
       FROM applications WHERE id = $1 AND partner_id = $2`,
      [id, partnerId],
    );
    return row ?? null;
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

function isNamed({ applicationId, journeyId, referenceHashes }: LeadsFilter): boolean {
  return (applicationId ?? journeyId ?? referenceHashes) !== undefined;
}

/** By id or reference: few leads, so they are counted as they are. */
function namedStatement(
  partnerId: string,
  filter: LeadsFilter,
  { offset, limit }: Stretch,
): Statement {
  const { applicationId, journeyId, referenceHashes, status, loanType, from, to } = filter;
  const named = [applicationId, journeyId, referenceHashes];
  return { text: NAMED, values: [partnerId, ...named, status, loanType, from, to, offset, limit] };
}

const NAMED = `
  WITH named AS MATERIALIZED (
    SELECT ${LISTED_COLUMNS} FROM applications
    WHERE partner_id = $1 AND ($2::text IS NULL OR id = $2)
      AND ($3::text IS NULL OR journey_id = $3)
      AND ($4::text[] IS NULL OR reference_hash = ANY ($4))
      AND ($5::text IS NULL OR status = $5) AND ($6::text IS NULL OR loan_type = $6)
      AND ($7::timestamptz IS NULL OR submitted_at >= $7)
      AND ($8::timestamptz IS NULL OR submitted_at <= $8)
  )
  SELECT counted.total, one.* FROM (SELECT count(*) AS total FROM named) AS counted
  LEFT JOIN LATERAL (
    SELECT * FROM named ORDER BY "submittedAt" DESC, id DESC OFFSET $9::bigint LIMIT $10
  ) AS one ON true
  ORDER BY one."submittedAt" DESC, one.id DESC
`;

function isLead(row: PageRow): row is PageRow & ListedLead {
  return row.id !== null;
}
