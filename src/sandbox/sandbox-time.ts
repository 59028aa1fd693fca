import { Injectable } from '@nestjs/common';
import { Clock, OffsetClock } from '../platform/index.js';
import { type MoveClock, SandboxClockRepository } from './store/sandbox-clock.repository.js';

/**
 * The sandbox's time. One stored offset moves `app_now()` and every process's injected clock; replicas follow when
 * notified, or within a second.
 */
@Injectable()
export class SandboxTime {
  private following: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly clocks: SandboxClockRepository,
    private readonly clock: Clock,
  ) {}

  now(): Date {
    return this.clock.now();
  }

  /** Moves time by milliseconds (negative in tests only); returns the new offset. */
  travel(milliseconds: number, move: MoveClock = (by) => this.clocks.move(by)): Promise<number> {
    return this.inTurn(() => move(milliseconds));
  }

  follow(): Promise<number> {
    return this.inTurn(() => this.clocks.offset());
  }

  /** In turn, so that an older offset never replaces a newer one. */
  private inTurn(read: () => Promise<number>): Promise<number> {
    const turn = this.following.then(async () => this.apply(await read()));
    this.following = turn.catch(() => undefined);
    return turn;
  }

  private apply(offsetMs: number): number {
    if (this.clock instanceof OffsetClock) this.clock.setOffset(offsetMs);
    return offsetMs;
  }
}
