import { Injectable } from '@nestjs/common';
import { Database, ScheduledTask } from '../../platform/index.js';
import { LenderRequestIdsRepository } from '../store/lender-request-ids.repository.js';

const EVERY_MS = 300_000;
const MAX_PER_PASS = 20_000;

/** Takes away the ids of requests that nobody can repeat any more, on any number of replicas. */
@Injectable()
export class RequestIdUpkeepTasks {
  constructor(
    private readonly database: Database,
    private readonly requestIds: LenderRequestIdsRepository,
  ) {}

  @ScheduledTask('lender-request-ids', EVERY_MS)
  async run(): Promise<void> {
    await this.database.transaction((tx) => this.requestIds.deleteOld(tx, MAX_PER_PASS));
  }
}
