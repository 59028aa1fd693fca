import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Held, HoldOrder } from './holder.ts';

const MAX_WAIT_MS = 60_000;
const MAX_SETTLE_MS = 10_000;
const PROMPT_MS = 100;
const PROMPT_ANSWERS = 5;
const LET_GO_MS = 3_000;

/** The service's metrics about its clients. */
export interface Counted {
  readonly open: number;
  readonly drivenOut: number;
  readonly bodiesGivenUp: number;
}

/** Clients that hold connections, in a separate process. */
export class Holder {
  private readonly child: ChildProcess;
  private readonly killAtExit = () => this.child.kill('SIGKILL');

  private constructor() {
    this.child = fork(fileURLToPath(new URL('holder.ts', import.meta.url)));
    process.once('exit', this.killAtExit);
  }

  /**
   * Opens this many connections and waits until the service has processed the first burst.
   * @throws Error when they cannot all be held
   */
  static async of(baseUrl: string, connections: number): Promise<Holder> {
    const holder = new Holder();
    const order: HoldOrder = { port: Number(new URL(baseUrl).port), connections };
    holder.child.send(order);
    try {
      await holder.untilOpen(connections);
      await untilPrompt(baseUrl);
    } catch (error) {
      holder.kill();
      throw error;
    }
    return holder;
  }

  async held(): Promise<Held> {
    this.child.send('count');
    const [held] = (await once(this.child, 'message')) as [Held];
    return held;
  }

  /** Closes all connections, and gives the service time to notice. */
  async letGo(): Promise<void> {
    const gone = once(this.child, 'exit');
    this.kill();
    await gone;
    await sleep(LET_GO_MS);
  }

  kill(): void {
    process.removeListener('exit', this.killAtExit);
    this.child.kill('SIGKILL');
  }

  private async untilOpen(connections: number): Promise<void> {
    const until = performance.now() + MAX_WAIT_MS;
    for (;;) {
      const { open, failed, lastFailure } = await this.held();
      if (failed > 0) throw new Error(`connections cannot be opened (ulimit -n?): ${lastFailure}`);
      // Not all: some are always being reopened.
      if (open >= connections * 0.95) return;
      if (performance.now() > until) throw new Error(`only ${open} connections are held`);
      await sleep(250);
    }
  }
}

/** From the service's metrics. */
export async function counted(baseUrl: string): Promise<Counted> {
  const answer = await fetch(`${baseUrl}/metrics`, { headers: { connection: 'close' } });
  const text = await answer.text();
  const sumOf = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\d+)$`, 'gm'))].reduce(
      (sum, [, count]) => sum + Number(count),
      0,
    );
  return {
    open: sumOf('http_connections'),
    drivenOut: sumOf('http_connections_driven_out_total'),
    bodiesGivenUp: sumOf('http_bodies_given_up_total'),
  };
}

/** Waits for several quick responses in a row, or the time limit. */
async function untilPrompt(baseUrl: string): Promise<void> {
  const until = performance.now() + MAX_SETTLE_MS;
  for (let prompt = 0; prompt < PROMPT_ANSWERS && performance.now() < until;) {
    const askedAt = performance.now();
    const answer = await fetch(`${baseUrl}/health/live`, { headers: { connection: 'close' } });
    await answer.body?.cancel();
    prompt = performance.now() - askedAt < PROMPT_MS ? prompt + 1 : 0;
    await sleep(PROMPT_MS);
  }
}
