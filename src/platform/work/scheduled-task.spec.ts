import { Logger } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { Test, type TestingModule } from '@nestjs/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ScheduledPasses, ScheduledTask } from './scheduled-task.js';

const EVERY_MS = 1_000;

class Passes {
  begun = 0;
  held = Promise.withResolvers<void>();

  @ScheduledTask('passes', EVERY_MS)
  async run(): Promise<void> {
    this.begun += 1;
    await this.held.promise;
  }
}

let module: TestingModule;
let passes: Passes;

beforeEach(async () => {
  vi.useFakeTimers();
  module = await Test.createTestingModule({
    imports: [ScheduleModule.forRoot()],
    providers: [Passes, ScheduledPasses],
  }).compile();
  await module.init();
  passes = module.get(Passes);
});

afterEach(async () => {
  passes.held.resolve();
  await module.close();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('a scheduled task', () => {
  it('leaves out the passes that are due while one is running', async () => {
    await vi.advanceTimersByTimeAsync(EVERY_MS * 3);
    await passes.run();
    expect(passes.begun).toBe(1);
    passes.held.resolve();
    await vi.advanceTimersByTimeAsync(EVERY_MS);
    expect(passes.begun).toBe(2);
  });

  it('is waited for at shutdown, and does not begin again', async () => {
    await vi.advanceTimersByTimeAsync(EVERY_MS);
    let isClosed = false;
    const closed = module.close().then(() => (isClosed = true));
    await vi.advanceTimersByTimeAsync(EVERY_MS * 3);
    expect(isClosed).toBe(false);
    passes.held.resolve();
    await closed;
    await vi.advanceTimersByTimeAsync(EVERY_MS);
    expect(passes.begun).toBe(1);
  });

  it('logs what fails under the name of its class, and runs again', async () => {
    const logged = vi.spyOn(Logger.prototype, 'error').mockImplementation(function (this: Logger) {
      expect(this).toMatchObject({ context: 'Passes' });
    });
    await vi.advanceTimersByTimeAsync(EVERY_MS);
    passes.held.reject(new Error('not this time'));
    await vi.advanceTimersByTimeAsync(EVERY_MS);
    expect(passes.begun).toBe(2);
    expect(logged).toHaveBeenCalledTimes(2);
  });
});
