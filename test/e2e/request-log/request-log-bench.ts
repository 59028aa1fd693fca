import { randomUUID } from 'node:crypto';
import {
  type LoggedRequest,
  RequestLog,
  type RequestFilter,
} from '../../../src/request-log/index.js';
import { Database } from '../../../src/platform/index.js';
import { eventuallyFound } from '../../support/eventually.js';
import type { TestService } from '../../support/service.js';

export function logOf(service: TestService): RequestLog {
  return service.get<RequestLog>(RequestLog);
}

export function logged(
  service: TestService,
  filter: RequestFilter,
  partnerId = service.partnerId,
): Promise<LoggedRequest> {
  return eventuallyFound(async () => {
    const { requests } = await logOf(service).list(partnerId, filter, { limit: 1 });
    return requests[0];
  });
}

export function named(): { requestId: string; headers: Record<string, string> } {
  const requestId = `test-${randomUUID()}`;
  return { requestId, headers: { 'x-request-id': requestId } };
}

export const JOURNEY = `jrn_${'1'.repeat(32)}`;
export const WRITE = {
  method: 'POST',
  route: '/journey/initiate',
  path: '/api/v1/partner/journey/initiate',
};
export const READ = { route: '/journey/:journeyId', path: `/api/v1/partner/journey/${JOURNEY}` };

export interface MadeRow {
  readonly partnerId?: string;
  readonly minutesAgo: number;
  readonly keyId?: string;
  readonly method?: string;
  readonly route?: string;
  readonly path?: string;
  readonly subjectId?: string | null;
  readonly status?: number;
  readonly code?: string | null;
}

export async function makeRows(service: TestService, rows: readonly MadeRow[]): Promise<string[]> {
  const ids: string[] = [];
  for (const row of rows) ids.push(...(await repeatRow(service, row, 1)));
  return ids;
}

/** Rows per statement; the service cancels a statement after 15 s. */
const A_LOT = 5_000;

export async function repeatRow(
  service: TestService,
  row: MadeRow,
  times: number,
): Promise<string[]> {
  // One reading of the clock: otherwise times and ids would differ.
  const newest = service.now().getTime() - row.minutesAgo * 60_000;
  const ids: string[] = [];
  while (ids.length < times) {
    const lot = Math.min(A_LOT, times - ids.length);
    ids.push(...(await insertRows(service, row, { newest: newest - ids.length, times: lot })));
  }
  return ids;
}

async function insertRows(
  service: TestService,
  row: MadeRow,
  { newest, times }: { newest: number; times: number },
): Promise<string[]> {
  const made = await service.get<Database>(Database).query<{ id: string }>(
    `INSERT INTO partner_requests (partner_id, at, id, key_id, method, route, path, subject_id, status,
       code, duration_us, is_authenticated)
     SELECT $3, to_timestamp(ms / 1000.0),
       (lpad(to_hex(ms), 12, '0') || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid,
       $4, $5, $6, $7, $8, $9, $10, 1234, true
     FROM generate_series($1::bigint, $1::bigint - $2::bigint + 1, -1) AS ms
     RETURNING 'req_' || replace(id::text, '-', '') AS id`,
    [
      newest,
      times,
      row.partnerId ?? service.partnerId,
      row.keyId ?? 'key_a',
      row.method ?? 'GET',
      row.route ?? '/products',
      row.path ?? '/api/v1/partner/products',
      row.subjectId ?? null,
      row.status ?? 200,
      row.code ?? null,
    ],
  );
  return made.map(({ id }) => id);
}
