import type { Pool, PoolClient } from 'pg';

type Connect = (
  done?: (error: Error | undefined, client: PoolClient, release: () => void) => void,
) => unknown;

export interface LongWaits {
  readonly calls: number;
  readonly longestMs: number;
}

export class PoolWaits {
  private readonly waiting = new Set<number[]>();
  private ended: number[] = [];

  constructor(
    private readonly longFromMs: number,
    private readonly onWait: (ms: number) => void,
    /** Milliseconds, monotonic. */
    private readonly now: () => number = () => performance.now(),
  ) {}

  watch(pool: Pool): void {
    const connect = pool.connect.bind(pool) as Connect;
    const watched: Connect = (done) => {
      const end = this.begin();
      if (!done) return (connect() as Promise<PoolClient>).finally(end);
      return connect((error, client, release) => {
        end();
        done(error, client, release);
      });
    };
    pool.connect = watched as Pool['connect'];
  }

  takeLongWaits(): LongWaits | null {
    const lasting = [...this.waiting].map(([beganAt]) => this.now() - beganAt);
    const long = [...this.ended, ...lasting].filter((ms) => ms > this.longFromMs);
    this.ended = [];
    return long.length === 0 ? null : { calls: long.length, longestMs: Math.max(...long) };
  }

  private begin(): () => void {
    const wait = [this.now()];
    this.waiting.add(wait);
    return () => {
      if (!this.waiting.delete(wait)) return;
      const ms = this.now() - wait[0];
      this.onWait(ms);
      if (ms > this.longFromMs) this.ended.push(ms);
    };
  }
}
