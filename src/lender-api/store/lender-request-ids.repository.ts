import { Injectable } from '@nestjs/common';
import { Database, type Tx } from '../../platform/index.js';
import { LenderRequestId } from './lender-request-id.entity.js';

/** The ids of lenders' requests, kept until their signatures are too old to be taken. */
@Injectable()
export class LenderRequestIdsRepository {
  constructor(private readonly database: Database) {}

  /** @returns false when it was used before, on whichever replica */
  async use(lenderCode: string, jti: string): Promise<boolean> {
    return this.database.transaction((tx) => tx.insertOnce(LenderRequestId, { lenderCode, jti }));
  }

  /**
   * Takes away what no signature can be repeated with any more, so many at most.
   * @returns how many went
   */
  async deleteOld(tx: Tx, most: number): Promise<number> {
    const [{ gone }] = await tx.query<{ gone: number }>(DELETE_OLD, [most]);
    return gone;
  }
}

// By the clock by which signatures are judged: the sandbox's may be set ahead.
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
