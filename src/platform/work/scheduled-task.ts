import { Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { attempt } from './attempt.js';

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
      try {
        await attempt(logger, () => pass.call(this));
      } finally {
        running.delete(this);
      }
    };
    Interval(name, everyMs)(target, method, descriptor);
  };
}
