import { vi } from 'vitest';

/**
 * The timers that scheduled work hangs on, held by the test: what a service schedules after this runs
 * when the test lets time pass, and not before. Everything else of the service keeps its own time.
 */
export class Schedule {
  static hold(): Schedule {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    return new Schedule();
  }

  async pass(milliseconds: number): Promise<void> {
    await vi.advanceTimersByTimeAsync(milliseconds);
  }

  letGo(): void {
    vi.useRealTimers();
  }
}
