import { Injectable } from '@nestjs/common';
import { Clock, OffsetClock } from '../platform/index.js';
import { SandboxClockRepository } from './store/sandbox-clock.repository.js';

/**
 * Time travel for the sandbox and for tests. One stored offset moves `app_now()` and, in every
 * process, the injected clock; other replicas follow within a second.
 */
@Injectable()
export class SandboxTime {
  constructor(
    private readonly clocks: SandboxClockRepository,
    private readonly clock: Clock,
  ) {}

  /** Moves time by so many milliseconds (negative: back) and answers the new offset. */
  async travel(milliseconds: number): Promise<number> {
    return this.apply(await this.clocks.move(milliseconds));
  }

  /** Takes over the stored offset. */
  async follow(): Promise<number> {
    return this.apply(await this.clocks.offset());
  }

  private apply(offsetMs: number): number {
    if (this.clock instanceof OffsetClock) this.clock.setOffset(offsetMs);
    return offsetMs;
  }
}
