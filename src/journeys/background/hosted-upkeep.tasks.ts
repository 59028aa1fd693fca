import { Injectable } from '@nestjs/common';
import { Database, ScheduledTask } from '../../platform/index.js';
import { HostedLimitsRepository } from '../store/hosted-limits.repository.js';
import { HostedSessionsRepository } from '../store/hosted-sessions.repository.js';
import { OneTimeCodesRepository } from '../store/one-time-codes.repository.js';

const EVERY_MS = 600_000;
const MAX_PER_PASS = 5_000;

/**
 * Deletes ended limits, codes and sessions in batches. Ended sessions stay for a month: with them a browser
 * can request a fresh link.
 */
@Injectable()
export class HostedUpkeepTasks {
  constructor(
    private readonly database: Database,
    private readonly limits: HostedLimitsRepository,
    private readonly codes: OneTimeCodesRepository,
    private readonly sessions: HostedSessionsRepository,
  ) {}

  @ScheduledTask('hosted-upkeep', EVERY_MS)
  async run(): Promise<void> {
    await this.database.transaction((tx) => this.limits.deleteEnded(tx, MAX_PER_PASS));
    await this.database.transaction((tx) => this.codes.deleteOld(tx, MAX_PER_PASS));
    await this.database.transaction((tx) => this.sessions.deleteOld(tx, MAX_PER_PASS));
  }
}
