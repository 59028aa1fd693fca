import { Injectable } from '@nestjs/common';
import { Database, ScheduledTask } from '../../platform/index.js';

export interface AdmissionResult {
  readonly outcome: 'ADMITTED' | 'LIMITED' | 'REPLAYED' | 'STALE';
  readonly minuteUsed: number;
  /** Seconds until the minute's window has room. */
  readonly minuteReset: number;
  readonly dayUsed: number;
  /** Seconds until midnight in India. */
  readonly dayReset: number;
}

export interface Arrival {
  readonly keyId: string;
  /** Version of the key that checked the signature. */
  readonly version: number;
  readonly nonce: string;
}

@Injectable()
export class AdmissionsRepository {
  constructor(private readonly database: Database) {}

  async admit(arrivals: readonly Arrival[]): Promise<AdmissionResult[]> {
    return this.database.prepared(
      'admit-requests',
      `SELECT outcome, minute_used AS "minuteUsed", minute_reset AS "minuteReset",
         day_used AS "dayUsed", day_reset AS "dayReset"
       FROM admit_requests($1, $2, $3) ORDER BY ord`,
      [
        arrivals.map(({ keyId }) => keyId),
        arrivals.map(({ version }) => version),
        arrivals.map(({ nonce }) => nonce),
      ],
    );
  }
}

const EVERY_MS = 60_000;
const ROWS_A_CHUNK = 5_000;
const MAX_CHUNKS = 100;

@Injectable()
export class RequestNoncesRepository {
  constructor(private readonly database: Database) {}

  /** In chunks, so that locks are short; replicas skip each other's rows. */
  @ScheduledTask('forget-nonces', EVERY_MS)
  async forgetExpired(): Promise<void> {
    for (let chunk = 0; chunk < MAX_CHUNKS; chunk += 1) {
      const forgotten = await this.database.query(FORGET_NONCES, [ROWS_A_CHUNK]);
      if (forgotten.length < ROWS_A_CHUNK) return;
    }
  }
}

// A timestamp may be 300 s off on either side, so a nonce is kept over 600 s. The subselect reads the time once.
export const FORGET_NONCES = `
  DELETE FROM request_nonces WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM request_nonces
    WHERE seen_at < (SELECT real_now() - interval '660 seconds')
    LIMIT $1 FOR UPDATE SKIP LOCKED))
  RETURNING 1
`;
