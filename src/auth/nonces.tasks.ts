import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { attempt, Database } from '../platform/index.js';

const EVERY_MS = 60_000;
const ROWS_A_CHUNK = 5_000;
const MOST_CHUNKS = 100;

/**
 * Forgets nonces that no timestamp could bring back: a timestamp may lie 300 seconds on either
 * side of the server's time, so a nonce is kept for longer than 600. Chunks keep each lock short;
 * replicas that clean at the same moment skip each other's rows.
 */
@Injectable()
export class NoncesTasks {
  private readonly logger = new Logger(NoncesTasks.name);

  constructor(private readonly database: Database) {}

  @Interval('forget-nonces', EVERY_MS)
  forgetExpired(): Promise<void> {
    return attempt(this.logger, () => this.forgetInChunks());
  }

  private async forgetInChunks(): Promise<void> {
    for (let chunk = 0; chunk < MOST_CHUNKS; chunk += 1) {
      const rows = await this.database.query(FORGET_NONCES, [ROWS_A_CHUNK]);
      if (rows.length < ROWS_A_CHUNK) return;
    }
  }
}

/** Forgets at most so many. The time is asked once: as a plain condition it is asked row by row. */
export const FORGET_NONCES = `
  DELETE FROM request_nonces WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM request_nonces
    WHERE seen_at < (SELECT app_now() - interval '660 seconds')
    LIMIT $1 FOR UPDATE SKIP LOCKED))
  RETURNING 1
`;
