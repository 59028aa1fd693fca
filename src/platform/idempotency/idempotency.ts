import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Keyring } from '../crypto/keyring.js';
import { Database } from '../database/database.js';
import type { Tx } from '../database/tx.js';
import { Fault } from '../errors/fault.js';
import { attempt } from '../work/attempt.js';
import type { IdempotencyKey } from './idempotency-key.js';

const PURPOSE = 'idempotent_answers.answer';
const CLEAN_UP_EVERY_MS = 600_000;
const ROWS_A_CHUNK = 5_000;

/** Whose call it is, and which. */
export interface IdempotentCall {
  readonly partnerId: string;
  /** The operation's name, the same under every path that serves it. */
  readonly operation: string;
  readonly idempotencyKey: IdempotencyKey | null;
}

export interface IdempotentResult<Answer> {
  readonly answer: Answer;
  /** Whether it is the answer to an earlier request. */
  readonly isReplayed: boolean;
}

/** Which kept answers are to be forgotten. */
export interface ForgottenAnswers {
  readonly partnerId: string;
  readonly operation: string;
  readonly at: Date;
  readonly withinMs: number;
  readonly isMeant: (answer: object) => boolean;
}

interface KeptAnswer {
  body_hash: string;
  answer_sealed: string;
}

/**
 * Answers a retry as its first request was answered, for 24 hours. The answer is kept in the
 * transaction of the business change, so a crash right after the commit replays it, too.
 */
@Injectable()
export class Idempotency {
  private readonly logger = new Logger(Idempotency.name);

  constructor(
    private readonly database: Database,
    private readonly keyring: Keyring,
  ) {}

  /**
   * Does `work` in `tx`, or answers what it answered before.
   * @throws Fault idempotency_key_reused when the body is another, idempotency_in_flight while the
   *   first request is in progress, on whatever replica
   */
  async once<Answer extends object>(
    tx: Tx,
    call: IdempotentCall,
    work: () => Promise<Answer>,
  ): Promise<IdempotentResult<Answer>> {
    const { idempotencyKey } = call;
    if (!idempotencyKey) return { answer: await work(), isReplayed: false };
    await this.lock(tx, call, idempotencyKey);
    const kept = await this.find(tx, call, idempotencyKey);
    if (kept && kept.body_hash !== idempotencyKey.bodyHash) {
      throw new Fault('idempotency_key_reused');
    }
    if (kept) {
      const answer = JSON.parse(this.keyring.open(kept.answer_sealed, PURPOSE)) as Answer;
      return { answer, isReplayed: true };
    }
    const answer = await work();
    await this.keep(tx, call, idempotencyKey, answer);
    return { answer, isReplayed: false };
  }

  /** Held until the transaction ends; it is only tried, so nobody waits for a slow first request. */
  private async lock(tx: Tx, call: IdempotentCall, { key }: IdempotencyKey): Promise<void> {
    const [row] = await tx.query<{ locked: boolean }>(
      'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS locked',
      [`${call.partnerId}\n${call.operation}\n${key}`],
    );
    if (!row?.locked) throw new Fault('idempotency_in_flight', { retryAfterSeconds: 1 });
  }

  private async find(
    tx: Tx,
    call: IdempotentCall,
    { key }: IdempotencyKey,
  ): Promise<KeptAnswer | undefined> {
    const [kept] = await tx.query<KeptAnswer>(
      `SELECT body_hash, answer_sealed FROM idempotent_answers
       WHERE partner_id = $1 AND operation = $2 AND idempotency_key = $3
         AND created_at > app_now() - interval '24 hours'`,
      [call.partnerId, call.operation, key],
    );
    return kept;
  }

  private async keep(
    tx: Tx,
    call: IdempotentCall,
    { key, bodyHash }: IdempotencyKey,
    answer: object,
  ): Promise<void> {
    await tx.execute(
      `INSERT INTO idempotent_answers
         (partner_id, operation, idempotency_key, body_hash, answer_sealed, created_at)
       VALUES ($1, $2, $3, $4, $5, app_now())
       ON CONFLICT (partner_id, operation, idempotency_key) DO UPDATE
         SET body_hash = excluded.body_hash, answer_sealed = excluded.answer_sealed,
           created_at = excluded.created_at`,
      [
        call.partnerId,
        call.operation,
        key,
        bodyHash,
        this.keyring.seal(JSON.stringify(answer), PURPOSE),
      ],
    );
  }

  /**
   * Forgets the answers around a moment that are meant, before their day is over: a retry is then a
   * new request.
   * @returns how many there were
   */
  async forget(tx: Tx, about: ForgottenAnswers): Promise<number> {
    const kept = await tx.query<KeptAnswer & { idempotency_key: string }>(
      `SELECT idempotency_key, body_hash, answer_sealed FROM idempotent_answers
       WHERE partner_id = $1 AND operation = $2
         AND created_at BETWEEN $3::timestamptz - $4 * interval '1 millisecond'
           AND $3::timestamptz + $4 * interval '1 millisecond'`,
      [about.partnerId, about.operation, about.at, about.withinMs],
    );
    const meant = kept.filter(({ answer_sealed }) =>
      about.isMeant(JSON.parse(this.keyring.open(answer_sealed, PURPOSE)) as object),
    );
    return tx.execute(
      `DELETE FROM idempotent_answers
       WHERE partner_id = $1 AND operation = $2 AND idempotency_key = ANY ($3)`,
      [about.partnerId, about.operation, meant.map((one) => one.idempotency_key)],
    );
  }

  @Interval('forget-idempotent-answers', CLEAN_UP_EVERY_MS)
  forgetExpired(): Promise<void> {
    return attempt(this.logger, () => this.forgetInChunks());
  }

  private async forgetInChunks(): Promise<void> {
    let forgotten: number;
    do {
      const rows = await this.database.query(
        `DELETE FROM idempotent_answers WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM idempotent_answers WHERE created_at < app_now() - interval '24 hours'
           LIMIT $1 FOR UPDATE SKIP LOCKED))
         RETURNING 1`,
        [ROWS_A_CHUNK],
      );
      forgotten = rows.length;
    } while (forgotten === ROWS_A_CHUNK);
  }
}
