import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Database, logFailure } from '../../platform/index.js';
import { HostedLimitsRepository } from '../store/hosted-limits.repository.js';
import { HostedSessionsRepository } from '../store/hosted-sessions.repository.js';
import { OneTimeCodesRepository } from '../store/one-time-codes.repository.js';

const EVERY_MS = 600_000;
const MAX_PER_PASS = 5_000;

/**
 * Takes away what the way in no longer needs, in small bites and on any number of replicas. An
 * ended session is kept for a month: with it, the applicant's browser can ask for a fresh link.
 */
@Injectable()
export class HostedUpkeepTasks {
  private readonly logger = new Logger(HostedUpkeepTasks.name);

  constructor(
    private readonly database: Database,
    private readonly limits: HostedLimitsRepository,
    private readonly codes: OneTimeCodesRepository,
    private readonly sessions: HostedSessionsRepository,
  ) {}

  @Interval('hosted-upkeep', EVERY_MS)
  async run(): Promise<void> {
    try {
      await this.database.transaction((tx) => this.limits.deleteEnded(tx, MAX_PER_PASS));
      await this.database.transaction((tx) => this.codes.deleteOld(tx, MAX_PER_PASS));
      await this.database.transaction((tx) => this.sessions.deleteOld(tx, MAX_PER_PASS));
    } catch (error) {
      logFailure(this.logger, error);
    }
  }
}
