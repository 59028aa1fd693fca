import { Injectable } from '@nestjs/common';
import { ScheduledTask } from '../platform/index.js';
import { SandboxTime } from './sandbox-time.js';

const EVERY_MS = 1_000;

/** Has this process follow the stored offset, should it not have heard that it was changed. */
@Injectable()
export class SandboxClockTasks {
  constructor(private readonly time: SandboxTime) {}

  @ScheduledTask('sandbox-clock', EVERY_MS)
  async follow(): Promise<void> {
    await this.time.follow();
  }
}
