import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/index.js';

/** The nonces that keys have used up; `admit_requests` alone enters them. */
@Injectable()
export class RequestNoncesRepository {
  constructor(private readonly database: Database) {}

  /**
   * Forgets at most so many of those that no timestamp could bring back: a timestamp may lie 300
   * seconds on either side of the server's time, so a nonce is kept for longer than 600.
   * @returns how many there were
   */
  async forgetExpired(most: number): Promise<number> {
    return (await this.database.query(FORGET_NONCES, [most])).length;
  }
}

/** The time is asked once: as a plain condition it is asked row by row. */
export const FORGET_NONCES = `
  DELETE FROM request_nonces WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM request_nonces
    WHERE seen_at < (SELECT real_now() - interval '660 seconds')
    LIMIT $1 FOR UPDATE SKIP LOCKED))
  RETURNING 1
`;
