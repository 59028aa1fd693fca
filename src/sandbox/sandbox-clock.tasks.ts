import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ScheduledTask } from '../platform/index.js';
import { SandboxTime } from './sandbox-time.js';

const EVERY_MS = 1_000;

/** Has this process follow the stored offset, so that time travel reaches every replica. */
@Injectable()
export class SandboxClockTasks implements OnApplicationBootstrap {
  constructor(private readonly time: SandboxTime) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.time.follow();
  }

  @ScheduledTask('sandbox-clock', EVERY_MS)
  async follow(): Promise<void> {
    await this.time.follow();
  }
}
