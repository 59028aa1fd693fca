import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Trouble } from './fault-run.ts';
import type { Replica } from './replica.ts';
import { SeededRandom } from './seeded-random.ts';
import type { Stage } from './stage.ts';

interface Line {
  readonly lock: string;
  readonly statement: string;
  readonly isAfterPost: boolean;
}

/**
 * Where a sender is killed: the lock that it waits for, and the statement that waits (PostgreSQL shows its first
 * kilobyte). Some points occur only while a post is in flight.
 */
const LINES: Readonly<Record<string, Line>> = {
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
};

/** The faults: replicas are killed at a point, during a call or all at once, or PostgreSQL fails. */
export const KILL_POINTS = [...Object.keys(LINES), 'under a call', 'all at once', 'database'];

/** A run of at least this length must hit every point. */
const LONG_SECONDS = 60;
const CALLED_WITHIN_MS = 1_000;
const WAIT_MS = 4_000;
/** After a start, the first post takes seconds on a busy machine. */
const POST_WAIT_MS = 20_000;
/** The sender may be between two claims, or the lock unavailable. */
const TRIES = 5;
/** Polling is enough: a sender waits as long as the lock is held. */
const LOOK_MS = 25;

interface KillOptions {
  readonly databaseUrl: string;
  readonly seconds: number;
  readonly seed: number;
  readonly points: readonly string[];
  /** Whether PostgreSQL may be crashed; else only its connections end. */
  readonly crashes: boolean;
}

/** Kills replicas at these points, and PostgreSQL; restarts them. */
export class KillPoints implements Trouble {
  readonly #options: KillOptions;
  readonly #random: SeededRandom;
  readonly #hits = new Map<string, number>();
  #stage!: Stage;

  constructor(options: KillOptions) {
    this.#options = options;
    this.#random = new SeededRandom(options.seed + 1);
  }

  async carryOut(stage: Stage): Promise<void> {
    const { points, seconds } = this.#options;
    this.#stage = stage;
    const endsAt = performance.now() + seconds * 1_000;
    for (let turn = 0; turn < points.length || performance.now() < endsAt; turn += 1) {
      const point = points[turn % points.length];
      for (let tries = 0; tries < TRIES && !(await this.#hit(point)); tries += 1) await sleep(20);
      await sleep(this.#random.between(200, 1_200));
    }
    while (stage.replicas.some(({ isUp }) => !isUp)) await sleep(100);
  }

  findings(): readonly string[] {
    const { points, seconds } = this.#options;
    const missed = points.filter((point) => seconds >= LONG_SECONDS && !this.#hits.has(point));
    return missed.map((point) => `nothing was hit: ${point}`);
  }

  figures(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#hits);
  }

  /** @returns whether the point has been hit, now or earlier */
  async #hit(point: string): Promise<boolean> {
    const { replicas } = this.#stage;
    while (!replicas.some(({ isUp }) => isUp)) await sleep(20);
    const up = replicas.filter(({ isUp }) => isUp);
    if (point === 'database') await this.#takeDatabaseAway();
    else if (point === 'all at once') await this.#kill(point, up);
    else if (point === 'under a call') await this.#killUnderCall(point, up);
    else await this.#killAt(point);
    return this.#hits.has(point);
  }

  async #killUnderCall(point: string, up: readonly Replica[]): Promise<void> {
    const replica = this.#random.pick(up);
    await until(() => this.#stage.partner.isCalling(replica), CALLED_WITHIN_MS);
    await this.#kill(point, [replica]);
  }

  /** Holds the point's lock until a sender waits for it, and kills that sender. */
  async #killAt(point: string): Promise<void> {
    const { lock, statement, isAfterPost } = LINES[point];
    const holder = await this.#connect('holder');
    const watcher = await this.#connect('watcher');
    try {
      await holder.query('BEGIN');
      await holder.query(`SET LOCAL lock_timeout = '2s'`);
      if (isAfterPost) await until(() => this.#stage.endpoints.openNow > 0, POST_WAIT_MS);
      await holder.query(lock);
      const found = await this.#waiting(watcher, statement);
      if (!found) return;
      await this.#kill(point, [found.replica]);
      // The server finishes a single statement even without its client.
      await watcher.query('SELECT pg_terminate_backend($1)', [found.pid]);
    } catch {
      // No sender came to this point, or the lock was unavailable.
    } finally {
      for (const client of [holder, watcher]) await client.end().catch(() => undefined);
    }
  }

  async #waiting(
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
        const replica = this.#stage.replicas.find((one) => one.isUp && one.name === name);
        if (replica) return { pid, replica };
      }
      await sleep(LOOK_MS);
    }
    return null;
  }

  async #kill(point: string, victims: readonly Replica[]): Promise<void> {
    await Promise.all(victims.map((replica) => replica.kill()));
    this.#count(point);
    for (const replica of victims) void this.#bringBack(replica);
  }

  /** A replica that starts during the server's recovery exits, so this retries. */
  async #bringBack(replica: Replica): Promise<void> {
    await sleep(this.#random.between(0, 500));
    while (!replica.isRunning) await replica.start().catch(() => sleep(500));
  }

  /** Killing a backend makes the whole server recover. Commits that did not wait for the disk may be lost. */
  async #takeDatabaseAway(): Promise<void> {
    const client = await this.#connect('breaker');
    try {
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      if (this.#options.crashes) process.kill(rows[0].pid, 'SIGKILL');
      else {
        await client.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid()`,
        );
      }
      this.#count('database');
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  #count(point: string): void {
    this.#hits.set(point, (this.#hits.get(point) ?? 0) + 1);
  }

  async #connect(name: string): Promise<Client> {
    for (;;) {
      const client = new Client({
        connectionString: this.#options.databaseUrl,
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

async function until(isTrue: () => boolean, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (performance.now() < deadline && !isTrue()) await sleep(1);
}
