import { type Client, Pool, type PoolClient } from 'pg';
import { LeadCountsRepository } from '../../../src/leads/store/lead-counts.repository.js';
import {
  type LeadsFilter,
  leadsPageStatement,
} from '../../../src/leads/store/leads-page-statement.js';

/** Small, so that a backlog takes several batches. */
const BATCH = 7;

/** Folds until nothing is left. */
export async function settle(counts: LeadCountsRepository, partnerId: string): Promise<void> {
  while (await counts.fold(partnerId, BATCH));
}

export interface ModelLead {
  id: string;
  loanType: string;
  status: string;
  /** Milliseconds. */
  at: number;
}

/** The expected content of a page: ids, newest first, and the total. */
export interface ModelPage {
  ids: string[];
  total: number;
}

/** A simple model of the list: filter, sort, slice. */
export function modelPage(
  leads: readonly ModelLead[],
  filter: LeadsFilter,
  { offset, limit }: { offset: number; limit: number },
): ModelPage {
  const { status, loanType, from, to } = filter;
  const matching = leads
    .filter((lead) => status === undefined || lead.status === status)
    .filter((lead) => loanType === undefined || lead.loanType === loanType)
    .filter((lead) => from === undefined || lead.at >= from.getTime())
    .filter((lead) => to === undefined || lead.at <= to.getTime())
    .toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
  return {
    ids: matching.slice(offset, offset + limit).map(({ id }) => id),
    total: matching.length,
  };
}

/** The statement of the service's repository, which skips whole days when there are more than two leads. */
export async function servicePage(
  client: Pool | PoolClient | Client,
  partnerId: string,
  filter: LeadsFilter,
  stretch: { offset: number; limit: number },
  steps = 2,
): Promise<ModelPage> {
  const { text, values } = leadsPageStatement(partnerId, filter, stretch, steps);
  const { rows } = await client.query<{ id: string | null; total: string }>(text, values);
  return {
    ids: rows.flatMap(({ id }) => (id === null ? [] : [id])),
    total: Number(rows[0].total),
  };
}
