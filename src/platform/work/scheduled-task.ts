import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval, SchedulerRegistry } from '@nestjs/schedule';
import { attempt } from '../logging/log-failure.js';

const passes = new Set<Promise<void>>();

/**
 * Never overlaps itself, unlike `@Interval`. Cron jobs would run simultaneously on every replica.
 */
export function ScheduledTask(name: string, everyMs: number) {
  return (
    target: object,
    method: string,
    descriptor: TypedPropertyDescriptor<() => Promise<void>>,
  ): void => {
    const pass = descriptor.value!;
    const logger = new Logger(target.constructor.name);
    const running = new WeakSet<object>();
    descriptor.value = async function (this: object) {
      if (running.has(this)) return;
      running.add(this);
      const ended = attempt(logger, () => pass.call(this));
      passes.add(ended);
      try {
        await ended;
      } finally {
        passes.delete(ended);
        running.delete(this);
      }
    };
    Interval(name, everyMs)(target, method, descriptor);
  };
}

/** At shutdown, waits for running passes before the database disconnects. */
@Injectable()
export class ScheduledPasses implements BeforeApplicationShutdown {
  constructor(private readonly registry: SchedulerRegistry) {}

  async beforeApplicationShutdown(): Promise<void> {
    for (const name of this.registry.getIntervals()) this.registry.deleteInterval(name);
    await Promise.all(passes);
  }
}
