import { Injectable } from '@nestjs/common';
import { Clock, OffsetClock } from '../platform/index.js';
import { type MoveClock, SandboxClockRepository } from './store/sandbox-clock.repository.js';

/**
 * The sandbox's time. One stored offset moves `app_now()` and, in every process, the injected clock. Other replicas
 * follow when they are told (`SandboxClockNews`), and within a second anyhow.
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

  /** Moves time by so many milliseconds (negative: back, which tests alone do) and answers the new offset. */
  travel(milliseconds: number, move: MoveClock = (by) => this.clocks.move(by)): Promise<number> {
    return this.inTurn(() => move(milliseconds));
  }

  /** Takes over the stored offset. */
  follow(): Promise<number> {
    return this.inTurn(() => this.clocks.offset());
  }

  /** One after the other, or an offset that was read earlier might be taken over later. */
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
