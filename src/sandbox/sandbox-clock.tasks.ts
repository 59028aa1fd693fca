import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { logFailure } from '../platform/index.js';
import { SandboxTime } from './sandbox-time.js';

const EVERY_MS = 1_000;

/** Has this process follow the stored offset, so that time travel reaches every replica. */
@Injectable()
export class SandboxClockTasks implements OnApplicationBootstrap {
  private readonly logger = new Logger(SandboxClockTasks.name);

  constructor(private readonly time: SandboxTime) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.time.follow();
  }

  @Interval('sandbox-clock', EVERY_MS)
  async follow(): Promise<void> {
    try {
      await this.time.follow();
    } catch (error) {
      logFailure(this.logger, error);
    }
  }
}
