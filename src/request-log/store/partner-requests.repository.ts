import { Injectable } from '@nestjs/common';
import type { PartitionedTable } from '../../partitions/index.js';
import { Columns, Database, plainArray } from '../../platform/index.js';
import type { ArrivedRequest } from '../arrived-request.js';
import { timeOfRequestId, uuidOf } from '../request-id.js';
import { PartnerRequest } from './partner-request.entity.js';

/** The days before today of which everything is kept. */
export const REQUEST_LOG_DAYS = 7;

/** A table for each day. */
export const PARTNER_REQUEST_DAYS: PartitionedTable = {
  name: 'partner_requests',
  key: { column: 'at', idPrefix: null },
  daysEach: 1,
  ahead: 3,
  daysKept: REQUEST_LOG_DAYS,
};

/** The calls that are kept: written in batches, and dropped by the day. */
@Injectable()
export class PartnerRequestsRepository {
  constructor(private readonly database: Database) {}

  /** Writes the calls, whole or not at all. @throws when one of them is there already */
  async write(requests: readonly ArrivedRequest[]): Promise<void> {
    await this.database.prepared('write-partner-requests', INSERT, valuesOf(requests));
  }

  /**
   * The same when the answer to an earlier try was lost: calls that are there stay as they are. To look for them costs
   * a third of what a row costs.
   */
  async writeAgain(requests: readonly ArrivedRequest[]): Promise<void> {
    const text = `${INSERT} ON CONFLICT DO NOTHING`;
    await this.database.prepared('write-partner-requests-again', text, valuesOf(requests));
  }
}

function valuesOf(requests: readonly ArrivedRequest[]): unknown[] {
  return [
    requests.map(({ partnerId }) => partnerId),
    plainArray(requests.map(({ id }) => timeOfRequestId(id))),
    plainArray(requests.map(({ id }) => uuidOf(id))),
    // A caller may call its request `null`.
    requests.map(({ givenId }) => givenId),
    requests.map(({ keyId }) => keyId),
    plainArray(requests.map(({ method }) => method)),
    requests.map(({ route }) => route),
    requests.map(({ path }) => path),
    plainArray(requests.map(({ subjectId }) => subjectId)),
    plainArray(requests.map(({ status }) => status)),
    plainArray(requests.map(({ code }) => code)),
    plainArray(requests.map(({ durationUs }) => durationUs)),
    plainArray(requests.map(({ isAuthenticated }) => isAuthenticated)),
    requests.map(({ refused }) => refused && JSON.stringify(refused)),
  ];
}

const columns = new Columns(PartnerRequest);

/** One statement for a batch: each column is one parameter. */
const INSERT = `
  INSERT INTO partner_requests (${columns.list([
    'partnerId',
    'at',
    'id',
    'givenId',
    'keyId',
    'method',
    'route',
    'path',
    'subjectId',
    'status',
    'code',
    'durationUs',
    'isAuthenticated',
    'refused',
  ])})
  SELECT partner_id, to_timestamp(at_ms / 1000.0), id, given_id, key_id, method, route, path, subject_id,
    status, code, duration_us, is_authenticated, refused::jsonb
  FROM unnest($1::text[], $2::float8[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[],
    $8::text[], $9::text[], $10::smallint[], $11::text[], $12::integer[], $13::boolean[], $14::text[])
    AS r (partner_id, at_ms, id, given_id, key_id, method, route, path, subject_id, status, code,
      duration_us, is_authenticated, refused)
`;
