import { vi } from 'vitest';

/**
 * Timers of scheduled work under the test's control: work that a service schedules from now on runs only when the test
 * moves the time. Other timers are real.
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
