import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Database, logFailure } from '../../platform/index.js';

const EVERY_MS = 600_000;
const MOST_A_PASS = 5_000;

/**
 * Takes away what the way in no longer needs, in small bites and on any number of replicas. An
 * ended session is kept for a month: with it, the applicant's browser can ask for a fresh link.
 */
@Injectable()
export class HostedUpkeepTasks {
  private readonly logger = new Logger(HostedUpkeepTasks.name);

  constructor(private readonly database: Database) {}

  @Interval('hosted-upkeep', EVERY_MS)
  async run(): Promise<void> {
    try {
      for (const statement of STATEMENTS) {
        await this.database.transaction((tx) => tx.execute(statement, [MOST_A_PASS]));
      }
    } catch (error) {
      logFailure(this.logger, error);
    }
  }
}

const STATEMENTS = [
  `DELETE FROM hosted_limits WHERE (kind, subject_hash) IN (
     SELECT kind, subject_hash FROM hosted_limits
     WHERE ends_at <= app_now() ORDER BY ends_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
  `DELETE FROM one_time_codes WHERE id IN (
     SELECT id FROM one_time_codes
     WHERE expires_at <= app_now() - interval '1 day'
     ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
  `DELETE FROM hosted_sessions WHERE id IN (
     SELECT id FROM hosted_sessions
     WHERE expires_at <= app_now() - interval '30 days'
     ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
];
