import { Injectable } from '@nestjs/common';
import type { PartitionedTable } from '../../partitions/index.js';
import { Columns, Database } from '../../platform/index.js';
import { timeOfRequestId, uuidOf } from './requests-statement.js';
import { PartnerRequest } from './partner-request.entity.js';

export const REQUEST_LOG_ENTITIES = [PartnerRequest];

/** `id` is `req_…` with the arrival time; never the caller's own. */
export type ArrivedRequest = Omit<PartnerRequest, 'at'>;

/** Full days, before today. */
const REQUEST_LOG_DAYS = 7;

const UNIQUE_VIOLATION = '23505';

export const PARTNER_REQUEST_DAYS: PartitionedTable = {
  name: 'partner_requests',
  key: { column: 'at', idPrefix: null },
  daysEach: 1,
  ahead: 3,
  daysKept: REQUEST_LOG_DAYS,
};

@Injectable()
export class PartnerRequestsRepository {
  constructor(private readonly database: Database) {}

  /** Writes all or none. @throws when one already exists */
  async write(requests: readonly ArrivedRequest[]): Promise<void> {
    const rows = requests.map((request) => columns.toRecord(rowOf(request)));
    await this.database.prepared('log-requests', WRITE, [JSON.stringify(rows)]);
  }

  /** For a retry: if one call of the batch exists, all do. */
  async writeAgain(requests: readonly ArrivedRequest[]): Promise<void> {
    try {
      await this.write(requests);
    } catch (error) {
      if ((error as { code?: unknown }).code !== UNIQUE_VIOLATION) throw error;
    }
  }
}

function rowOf(request: ArrivedRequest) {
  const { id, ...rest } = request;
  return { ...rest, id: uuidOf(id), at: new Date(timeOfRequestId(id)) };
}

const columns = new Columns(PartnerRequest);
const names = columns.list(columns.properties);
const WRITE = `
  INSERT INTO partner_requests (${names})
  SELECT ${names} FROM jsonb_populate_recordset(NULL::partner_requests, $1)`;
