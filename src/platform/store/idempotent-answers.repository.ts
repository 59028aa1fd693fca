import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Columns } from '../database/columns.js';
import { Database } from '../database/database.js';
import type { Tx } from '../database/tx.js';
import { IdempotentAnswerRow } from './idempotent-answer.entity.js';

const columns = new Columns(IdempotentAnswerRow);

export type KeptAnswer = Pick<IdempotentAnswerRow, 'bodyHash' | 'answerSealed'>;

export type CallKey = Pick<IdempotentAnswerRow, 'partnerId' | 'operation' | 'idempotencyKey'>;

export interface CallsAround {
  readonly partnerId: string;
  readonly operation: string;
  /** When the business change was made. */
  readonly at: Date;
}

/** Kept for 24 hours. */
@Injectable()
export class IdempotentAnswersRepository {
  static readonly KEPT_COLUMNS = columns.qualified(['answerSealed', 'bodyHash']);

  constructor(private readonly database: Database) {}

  /** Null without an answer of the last 24 hours. */
  async find(
    tx: Tx,
    { partnerId, operation, idempotencyKey }: CallKey,
  ): Promise<KeptAnswer | null> {
    const [kept] = await tx.query<KeptAnswer>(FIND, [partnerId, operation, idempotencyKey]);
    return kept ?? null;
  }

  /** Replaces an expired answer of the same call. */
  async keep(tx: Tx, answer: CallKey & KeptAnswer): Promise<void> {
    const { partnerId, operation, idempotencyKey, bodyHash, answerSealed } = answer;
    await tx.execute(KEEP, [partnerId, operation, idempotencyKey, bodyHash, answerSealed]);
  }

  async findAround(
    tx: Tx,
    { partnerId, operation, at }: CallsAround,
  ): Promise<(KeptAnswer & Pick<CallKey, 'idempotencyKey'>)[]> {
    return tx.query(
      `SELECT ${columns.selected(undefined, ['idempotencyKey', 'bodyHash', 'answerSealed'])}
       FROM idempotent_answers
       WHERE partner_id = $1 AND operation = $2
         AND created_at BETWEEN $3::timestamptz - interval '1 minute'
           AND $3::timestamptz + interval '1 minute'`,
      [partnerId, operation, at],
    );
  }

  /** @returns how many existed */
  async remove(
    tx: Tx,
    { partnerId, operation }: Pick<CallKey, 'partnerId' | 'operation'>,
    keys: readonly string[],
  ): Promise<number> {
    const { affected } = await tx
      .repository(IdempotentAnswerRow)
      .delete({ partnerId, operation, idempotencyKey: In(keys) });
    return affected ?? 0;
  }

  /** @returns how many were removed, at most `most` */
  async removeExpired(most: number): Promise<number> {
    const rows = await this.database.query(
      `DELETE FROM idempotent_answers WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM idempotent_answers WHERE created_at < app_now() - interval '24 hours'
         LIMIT $1 FOR UPDATE SKIP LOCKED))
       RETURNING 1`,
      [most],
    );
    return rows.length;
  }
}

const FIND = `
  SELECT ${columns.selected(undefined, ['bodyHash', 'answerSealed'])} FROM idempotent_answers
  WHERE partner_id = $1 AND operation = $2 AND idempotency_key = $3
    AND created_at > app_now() - interval '24 hours'
`;

const KEEP = `
  INSERT INTO idempotent_answers
    (${columns.list(['partnerId', 'operation', 'idempotencyKey', 'bodyHash', 'answerSealed'])}, created_at)
  VALUES ($1, $2, $3, $4, $5, app_now())
  ON CONFLICT (partner_id, operation, idempotency_key) DO UPDATE
    SET body_hash = excluded.body_hash, answer_sealed = excluded.answer_sealed,
      created_at = excluded.created_at
`;
