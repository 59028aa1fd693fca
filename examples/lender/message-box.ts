import type { Database } from './database.ts';
import { inSeconds } from './question.ts';
import type { World } from './world.ts';

/** Messages that lenders send to Rinpath: the last part of the address. */
export const MESSAGE_PATHS = ['answers', 'offer-revisions', 'loan-events', 'statements'] as const;

export type MessagePath = (typeof MESSAGE_PATHS)[number];

export interface Message {
  readonly lender: string;
  readonly path: MessagePath;
  /** The same on every attempt, so that Rinpath deduplicates. */
  readonly id: string;
  readonly body: object;
  readonly dueAt: Date;
  /** Whether it is sent only after the lender's next message. */
  readonly isHeld?: boolean;
}

export interface QueuedMessage {
  readonly number: number;
  readonly lender: string;
  readonly path: MessagePath;
  readonly id: string;
  /** Signed bytes are stored once as text and sent unchanged. */
  readonly body: string;
  readonly attempts: number;
}

/** Seconds until each retry; the last one repeats. */
const RETRY_S = [1, 2, 5, 15, 60, 300];
/** A held message is sent after this time, even without another message. */
const LONGEST_HOLD_S = 5;

/** The outbox: written in the transaction of the change, sent afterwards. */
export class MessageBox {
  readonly #database: Database;
  readonly #world: World;
  readonly #isOpen: boolean;

  /** @param isOpen whether messages are sent */
  constructor(database: Database, world: World, isOpen: boolean) {
    this.#database = database;
    this.#world = world;
    this.#isOpen = isOpen;
  }

  queue({ lender, path, id, body, dueAt, isHeld = false }: Message): void {
    if (!this.#isOpen) return;
    const from = isHeld ? inSeconds(dueAt, LONGEST_HOLD_S) : dueAt;
    this.#database.run(
      'INSERT INTO messages (lender, id, path, body, due_at, is_held) VALUES (?, ?, ?, ?, ?, ?)',
      [lender, id, path, JSON.stringify(body), from.toISOString(), isHeld ? 1 : 0],
    );
  }

  /** Oldest first; at most `count`. */
  due(count: number): QueuedMessage[] {
    return this.#database.all<QueuedMessage>(
      `SELECT number, lender, path, id, body, attempts FROM messages
       WHERE ended_at IS NULL AND due_at <= ? ORDER BY number LIMIT ?`,
      [this.#world.now().toISOString(), count],
    );
  }

  /** It was accepted, or refused permanently: no more attempts. */
  end(message: QueuedMessage, status: string): void {
    const now = this.#world.now().toISOString();
    this.#database.transaction(() => {
      this.#database.run(
        'UPDATE messages SET ended_at = ?, last_status = ?, attempts = attempts + 1 WHERE number = ?',
        [now, status, message.number],
      );
      // Releases messages that were held for this one.
      this.#database.run(
        'UPDATE messages SET is_held = 0, due_at = ? WHERE lender = ? AND is_held = 1 AND ended_at IS NULL',
        [now, message.lender],
      );
    });
  }

  /** @param seconds null: until the lender's next message was sent */
  hold(message: QueuedMessage, seconds: number | null): void {
    this.#database.run('UPDATE messages SET is_held = ?, due_at = ? WHERE number = ?', [
      seconds === null ? 1 : 0,
      inSeconds(this.#world.now(), seconds ?? LONGEST_HOLD_S).toISOString(),
      message.number,
    ]);
  }

  postpone(message: QueuedMessage, status: string): void {
    const seconds = RETRY_S[Math.min(message.attempts, RETRY_S.length - 1)] ?? 1;
    this.#database.run(
      'UPDATE messages SET due_at = ?, last_status = ?, attempts = attempts + 1 WHERE number = ?',
      [inSeconds(this.#world.now(), seconds).toISOString(), status, message.number],
    );
  }
}
