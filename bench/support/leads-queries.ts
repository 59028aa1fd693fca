import { FIRST_DAY, type LeadsData } from './leads-data.ts';

/** One query of the list, for the repository and for HTTP. */
export interface LeadsQuery {
  readonly name: string;
  readonly filter: { status?: string; loanType?: string; from?: Date; to?: Date };
  readonly page: number;
  readonly limit: number;
}

const LIMIT = 20;
const DAY_MS = 86_400_000;

/** The same queries for each amount of leads; the data determines the filters' shares. */
export function queriesFor({ own }: LeadsData): readonly LeadsQuery[] {
  const lastPage = Math.ceil(own / LIMIT);
  const spring = { from: daysIn(90), to: daysIn(180) };
  return [
    { name: 'first page', filter: {}, page: 1 },
    { name: 'one status', filter: { status: 'REJECTED' }, page: 1 },
    { name: 'a rare status', filter: { status: 'MANDATE_PENDING' }, page: 1 },
    { name: 'one type', filter: { loanType: 'ONLINE_GOLD' }, page: 1 },
    {
      name: 'status and type',
      filter: { status: 'ABANDONED', loanType: 'ONLINE_BUSINESS' },
      page: 1,
    },
    { name: 'from and to', filter: spring, page: 1 },
    { name: 'from, to and status', filter: { ...spring, status: 'SANCTIONED' }, page: 1 },
    { name: 'page in the middle', filter: {}, page: Math.ceil(lastPage / 2) },
    { name: 'last page', filter: {}, page: lastPage },
    {
      name: 'last page of one status',
      filter: { status: 'REJECTED' },
      page: Math.floor((own * 0.3) / LIMIT),
    },
    {
      name: 'middle of from and to',
      filter: spring,
      page: Math.ceil((own * 90) / 365 / LIMIT / 2),
    },
    { name: 'past the last page', filter: {}, page: lastPage + 1_000 },
  ].map((query) => ({ ...query, limit: LIMIT }));
}

/** The query as a partner sends it. */
export function targetOf({ filter, page, limit }: LeadsQuery): string {
  const parameters = new URLSearchParams({ page: String(page), limit: String(limit) });
  for (const [name, value] of Object.entries(filter)) {
    parameters.set(name, value instanceof Date ? value.toISOString() : value);
  }
  return `/api/v1/partner/leads?${parameters.toString()}`;
}

function daysIn(days: number): Date {
  return new Date(Date.parse(FIRST_DAY) + days * DAY_MS);
}
