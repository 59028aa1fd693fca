import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval, SchedulerRegistry } from '@nestjs/schedule';
import { attempt } from '../logging/log-failure.js';

/** The passes of scheduled tasks that run in this process now. */
const passes = new Set<Promise<void>>();

/**
 * Has a method of a provider run every so many milliseconds. A pass that is due while the last one
 * still runs is left out, which `@Interval` does not see to (its cron jobs can, but run at the same
 * moment on every replica). What fails is logged, and the next pass tries again.
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

/** At shutdown: no pass begins any more, and those that run end before the database is disconnected. */
@Injectable()
export class ScheduledPasses implements BeforeApplicationShutdown {
  constructor(private readonly registry: SchedulerRegistry) {}

  async beforeApplicationShutdown(): Promise<void> {
    for (const name of this.registry.getIntervals()) this.registry.deleteInterval(name);
    await Promise.all(passes);
  }
}
