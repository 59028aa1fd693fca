import { setTimeout as sleep } from 'node:timers/promises';
import type { ScriptedAnswer, WebhookReceiver } from '../support/webhook-receiver.ts';
import type { Replica } from './replica.ts';
import type { SeededRandom } from './seeded-random.ts';

export interface PlannedKill {
  readonly atMs: number;
  readonly victims: readonly number[];
  readonly awayMs: number;
  readonly answer: ScriptedAnswer | null;
}

const MIN_GAP_MS = 800;
const MAX_GAP_MS = 4_500;
const MAX_AWAY_MS = 1_500;
const CALLED_WITHIN_MS = 1_000;
const ALL_AT_ONCE = 0.08;
const ODD_ANSWER = 0.4;
const ODD_ANSWERS: readonly ScriptedAnswer[] = [500, { hangUp: true }, { delayMs: 700 }, 503];

/** When each replica is killed; the seed determines everything. */
export function planKills(random: SeededRandom, forMs: number, replicas: number): PlannedKill[] {
  const plan: PlannedKill[] = [];
  let atMs = 0;
  for (;;) {
    atMs += Math.round(random.between(MIN_GAP_MS, MAX_GAP_MS));
    if (atMs >= forMs) return plan;
    const victim = random.below(replicas);
    const isAll = random.isTrue(ALL_AT_ONCE);
    plan.push({
      atMs,
      victims: isAll ? Array.from({ length: replicas }, (_, index) => index) : [victim],
      awayMs: Math.round(random.between(0, MAX_AWAY_MS)),
      answer: random.isTrue(ODD_ANSWER) ? random.pick(ODD_ANSWERS) : null,
    });
  }
}

/** Kills replicas by the plan, and starts them again. */
export class Killer {
  private readonly replicas: readonly Replica[];
  private readonly receiver: WebhookReceiver;
  private readonly isCalled: (replica: Replica) => boolean;
  private readonly comingBack = new Set<Promise<void>>();
  private readonly failures: unknown[] = [];

  constructor(
    replicas: readonly Replica[],
    receiver: WebhookReceiver,
    isCalled: (replica: Replica) => boolean,
  ) {
    this.replicas = replicas;
    this.receiver = receiver;
    this.isCalled = isCalled;
  }

  /** @throws Error if a replica does not start again */
  async carryOut(plan: readonly PlannedKill[]): Promise<void> {
    const startedAt = performance.now();
    for (const kill of plan) {
      await sleep(Math.max(0, kill.atMs - (performance.now() - startedAt)));
      // One at a time: while all replicas start, failures would add up and pause the subscription for minutes.
      if (kill.answer !== null && !this.receiver.isScripted) this.receiver.answerNext(kill.answer);
      for (const victim of kill.victims) this.killAndBringBack(victim, kill.awayMs);
    }
    while (this.comingBack.size > 0) await Promise.all(this.comingBack);
    if (this.failures.length > 0) throw this.failures[0];
  }

  private async untilCalled(replica: Replica): Promise<void> {
    const deadline = performance.now() + CALLED_WITHIN_MS;
    while (!this.isCalled(replica) && performance.now() < deadline) await sleep(1);
  }

  private killAndBringBack(victim: number, awayMs: number): void {
    const replica = this.replicas[victim];
    if (!replica.isRunning) return;
    const back = (async () => {
      await this.untilCalled(replica);
      await replica.kill();
      await sleep(awayMs);
      if (!replica.isRunning) await replica.start();
    })()
      .catch((error: unknown) => {
        this.failures.push(error);
      })
      .finally(() => this.comingBack.delete(back));
    this.comingBack.add(back);
  }
}
