import { SchedulerRegistry } from '@nestjs/schedule';
import type { TwoReplicas } from '../../support/service.js';

interface Task {
  run(): Promise<void>;
}

/** Removes tasks from both replicas' schedules; they run only when a test starts them. */
export function takeOffSchedule({ first, second }: TwoReplicas, ...intervals: string[]): void {
  for (const replica of [first, second]) {
    const registry = replica.get<SchedulerRegistry>(SchedulerRegistry);
    for (const interval of intervals) registry.deleteInterval(interval);
  }
}

export async function runOnBoth(
  { first, second }: TwoReplicas,
  task: new (...needs: never[]) => Task,
): Promise<void> {
  await Promise.all([first.get<Task>(task).run(), second.get<Task>(task).run()]);
}
