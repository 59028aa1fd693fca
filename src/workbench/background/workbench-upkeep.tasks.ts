import { Injectable } from '@nestjs/common';
import { Database, ScheduledTask } from '../../platform/index.js';
import { WorkbenchSessionsRepository } from '../store/workbench-sessions.repository.js';

const EVERY_MS = 600_000;
const MAX_PER_PASS = 5_000;

/** Takes away links and sessions that are over, on any number of replicas. */
@Injectable()
export class WorkbenchUpkeepTasks {
  constructor(
    private readonly database: Database,
    private readonly sessions: WorkbenchSessionsRepository,
  ) {}

  @ScheduledTask('workbench-upkeep', EVERY_MS)
  async run(): Promise<void> {
    await this.database.transaction((tx) => this.sessions.deleteOld(tx, MAX_PER_PASS));
  }
}
