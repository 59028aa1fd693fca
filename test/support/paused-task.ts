import type { Type } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { DuePoller, type DueWork } from '../../src/platform/index.js';
import { afterThisFile } from './after-file.js';
import type { TestService } from './service.js';

/** Removes a task from the service's schedule: only the test runs it. */
export function pauseTask<Method extends string>(
  service: TestService,
  type: Type<Record<Method, () => Promise<void>>>,
  name: string,
  method: Method,
): () => void {
  const registry = service.get<SchedulerRegistry>(SchedulerRegistry);
  const tasks = service.get<Record<Method, () => Promise<void>>>(type);
  const { timeout } = Reflect.getMetadata('SCHEDULE_INTERVAL_OPTIONS', tasks[method]) as {
    timeout: number;
  };
  registry.deleteInterval(name);
  const resume = () => {
    if (registry.doesExist('interval', name)) return;
    registry.addInterval(
      name,
      setInterval(() => void tasks[method](), timeout),
    );
  };
  afterThisFile(resume);
  return resume;
}

/** Stops the poller of due work from waking the loop of this work. */
export function pauseWakes(service: TestService, work: DueWork): void {
  const { watched } = service.get(DuePoller) as unknown as {
    watched: { work: DueWork; wake: () => void }[];
  };
  const entry = watched.find((one) => one.work === work)!;
  const { wake } = entry;
  entry.wake = () => undefined;
  afterThisFile(() => void (entry.wake = wake));
}
