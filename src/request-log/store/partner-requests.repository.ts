import { Injectable } from '@nestjs/common';
import type { PartitionedTable } from '../../partitions/index.js';
import { Columns, Database } from '../../platform/index.js';
import { timeOfRequestId, uuidOf } from '../request-id.js';
import { PartnerRequest, type KeptRefusal } from './partner-request.entity.js';

export const REQUEST_LOG_ENTITIES = [PartnerRequest];

/** A call that was answered and waits to be written. */
export interface ArrivedRequest {
  readonly partnerId: string;
  /** `req_…` with the time of arrival in it; never the caller’s own. */
  readonly id: string;
  /** The caller’s own `X-Request-Id`. */
  readonly givenId: string | null;
  readonly keyId: string;
  readonly method: string;
  readonly route: string;
  readonly path: string;
  readonly subjectId: string | null;
  readonly status: number;
  readonly code: string | null;
  readonly durationUs: number;
  readonly isAuthenticated: boolean;
  readonly refused: KeptRefusal | null;
}

/** The days before today of which everything is kept. */
export const REQUEST_LOG_DAYS = 7;

const UNIQUE_VIOLATION = '23505';

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
    const rows = requests.map((request) => columns.toRecord(rowOf(request)));
    await this.database.prepared('log-requests', WRITE, [JSON.stringify(rows)]);
  }

  /** The same when the answer to an earlier try was lost: a batch of which a call is there, is there whole. */
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
