import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Replica } from '../replica.ts';
import type { SeededRandom } from '../seeded-random.ts';

/**
 * Where a sender is killed: what it waits for, and in which statement. The words are from the first kilobyte, which is
 * what PostgreSQL shows. Some points are reached only while a post is in progress.
 */
const POINTS = {
  'before the claim': {
    lock: 'LOCK TABLE webhook_lanes IN SHARE ROW EXCLUSIVE MODE',
    statement: 'WITH RECURSIVE moment',
    isAfterPost: false,
  },
  'after the answer': {
    lock: 'SELECT FROM webhook_lanes ORDER BY subscription_id FOR UPDATE',
    statement: 'SET failure_count',
    isAfterPost: true,
  },
  'while recording': {
    lock: 'LOCK TABLE webhook_attempts IN SHARE ROW EXCLUSIVE MODE',
    statement: 'SET failure_count',
    isAfterPost: true,
  },
} as const;

export type KillPoint = keyof typeof POINTS | 'anywhere';

/** The faults of a run: senders are killed at these points, or PostgreSQL is lost. */
export const KILL_POINTS: readonly string[] = [...Object.keys(POINTS), 'anywhere', 'database'];

const WAIT_MS = 4_000;
/** The first post of a new sender takes seconds on a busy machine. */
const POST_WAIT_MS = 20_000;
/** The lock is held until then, so a waiting sender is found however late. */
const LOOK_MS = 25;

/** Kills senders at chosen points, or PostgreSQL; starts again what was killed. */
export class KillPoints {
  readonly hits = new Map<string, number>();
  private readonly databaseUrl: string;
  private readonly replicas: readonly Replica[];
  private readonly random: SeededRandom;
  private readonly isInFlight: () => boolean;

  constructor(
    databaseUrl: string,
    replicas: readonly Replica[],
    random: SeededRandom,
    isInFlight: () => boolean,
  ) {
    this.isInFlight = isInFlight;
    this.databaseUrl = databaseUrl;
    this.replicas = replicas;
    this.random = random;
  }

  async carryOut(points: readonly string[], forMs: number, crashes: boolean): Promise<void> {
    const endsAt = performance.now() + forMs;
    for (let turn = 0; turn < points.length || performance.now() < endsAt; turn += 1) {
      const kind = points[turn % points.length];
      if (kind === 'database') await this.takeDatabaseAway(crashes);
      else if (kind === 'anywhere') await this.killAnywhere();
      else await this.killAt(kind as keyof typeof POINTS);
      await sleep(this.random.between(200, 1_200));
    }
    await this.allUp();
  }

  /** Blocks what the point waits for until a sender reaches it, and kills that sender. */
  private async killAt(point: keyof typeof POINTS): Promise<void> {
    const holder = await this.connect('holder');
    const watcher = await this.connect('watcher');
    try {
      await holder.query('BEGIN');
      await holder.query(`SET LOCAL lock_timeout = '2s'`);
      if (POINTS[point].isAfterPost) await this.untilInFlight();
      await holder.query(POINTS[point].lock);
      const found = await this.waiting(watcher, POINTS[point].statement);
      if (!found) return;
      await this.hit(point, found.replica);
      // The server would still finish a single statement after its client was killed.
      await watcher.query('SELECT pg_terminate_backend($1)', [found.pid]);
    } catch {
      // No sender reached it, or the lock was not free in time.
    } finally {
      await holder.end().catch(() => undefined);
      await watcher.end().catch(() => undefined);
    }
  }

  private async untilInFlight(): Promise<void> {
    const deadline = performance.now() + POST_WAIT_MS;
    while (performance.now() < deadline && !this.isInFlight()) await sleep(1);
  }

  private async waiting(
    watcher: Client,
    statement: string,
  ): Promise<{ pid: number; replica: Replica } | null> {
    const deadline = performance.now() + WAIT_MS;
    while (performance.now() < deadline) {
      const { rows } = await watcher.query<{ pid: number; name: string }>(
        `SELECT pid, application_name AS name FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'
           AND strpos(query, $1) > 0`,
        [statement],
      );
      for (const { pid, name } of rows) {
        const replica = this.replicas.find((one) => one.isUp && one.name === name);
        if (replica) return { pid, replica };
      }
      await sleep(LOOK_MS);
    }
    return null;
  }

  private async killAnywhere(): Promise<void> {
    const up = this.replicas.filter(({ isUp }) => isUp);
    if (up.length > 0) await this.hit('anywhere', this.random.pick(up));
  }

  private async hit(point: KillPoint, replica: Replica): Promise<void> {
    await replica.kill();
    this.hits.set(point, (this.hits.get(point) ?? 0) + 1);
    void this.bringBack(replica);
  }

  /** A replica that starts while the server recovers ends, and is started again. */
  private async bringBack(replica: Replica): Promise<void> {
    await sleep(this.random.between(0, 500));
    while (!replica.isRunning) {
      await replica.start().catch(() => sleep(500));
    }
  }

  /**
   * Killing a backend makes the whole server recover, which may lose asynchronous commits. On a shared server only the
   * connections are ended.
   */
  private async takeDatabaseAway(crashes: boolean): Promise<void> {
    const client = await this.connect('breaker');
    client.on('error', () => undefined);
    try {
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      if (crashes && rows[0]) process.kill(rows[0].pid, 'SIGKILL');
      else {
        await client.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid()`,
        );
      }
      this.hits.set('database', (this.hits.get('database') ?? 0) + 1);
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  private async allUp(): Promise<void> {
    while (this.replicas.some(({ isUp }) => !isUp)) await sleep(100);
  }

  private async connect(name: string): Promise<Client> {
    for (;;) {
      const client = new Client({
        connectionString: this.databaseUrl,
        application_name: name,
        connectionTimeoutMillis: 3_000,
      });
      client.on('error', () => undefined);
      try {
        await client.connect();
        return client;
      } catch {
        await sleep(100);
      }
    }
  }
}
