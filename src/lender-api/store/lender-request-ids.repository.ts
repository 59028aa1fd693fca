import { Injectable } from '@nestjs/common';
import { Database, type Tx } from '../../platform/index.js';
import { LenderRequestId } from './lender-request-id.entity.js';

@Injectable()
export class LenderRequestIdsRepository {
  constructor(private readonly database: Database) {}

  /** @returns false when any replica has used it before */
  async use(lenderCode: string, jti: string): Promise<boolean> {
    return this.database.transaction((tx) => tx.insertOnce(LenderRequestId, { lenderCode, jti }));
  }

  /** @returns how many were deleted */
  async deleteOld(tx: Tx, most: number): Promise<number> {
    const [{ gone }] = await tx.query<{ gone: number }>(DELETE_OLD, [most]);
    return gone;
  }
}

// By the clock that checks signatures: the sandbox's may be ahead.
const DELETE_OLD = `
  WITH removed AS (
    DELETE FROM lender_request_ids WHERE (lender_code, jti) IN (
      SELECT lender_code, jti FROM lender_request_ids
      WHERE used_at <= now() - interval '15 minutes'
      ORDER BY used_at LIMIT $1 FOR UPDATE SKIP LOCKED)
    RETURNING 1
  )
  SELECT count(*)::int AS gone FROM removed
`;
