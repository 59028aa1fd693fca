import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { ContestantOrder, ContestantResult } from './contestant.ts';
import { answerOf, forkWith } from './ground.ts';

/** A contestant's process, warmed up, which sends deliveries on request. */
export class RunningContestant {
  private readonly child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.child = child;
  }

  /** @throws Error when it ends before it is ready */
  static async start(order: ContestantOrder): Promise<RunningContestant> {
    const child = forkWith('contestant.ts', {
      CONTESTANT: JSON.stringify(order),
      ...(order.dist && { BENCH_DIST: order.dist }),
    });
    await answerOf(child);
    return new RunningContestant(child);
  }

  /** @throws Error when it ends before it has sent all */
  async send(deliveries: number): Promise<ContestantResult> {
    this.child.send(deliveries);
    const [result] = (await answerOf(this.child)) as [ContestantResult];
    return result;
  }

  async end(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.disconnect();
    await ended;
  }
}
