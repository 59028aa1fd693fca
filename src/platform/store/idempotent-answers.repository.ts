import { Injectable } from '@nestjs/common';
import { Entity, In, Index } from 'typeorm';
import { Columns, TextColumn, TextKeyColumn, TimeColumn } from '../database/columns.js';
import type { KeptByReset } from '../database/data-source.js';
import { Database } from '../database/database.js';
import type { Tx } from '../database/tx.js';
import { CountedLimit } from './counted-limits.js';
import { DeploymentRow, MasterKeyRow } from './deployment.js';
import { InstalledFunction } from './installed-functions.js';

@Entity('idempotent_answers')
@Index('idempotent_answers_by_time', ['createdAt'])
class IdempotentAnswerRow {
  @TextKeyColumn
  readonly partnerId: string;

  @TextKeyColumn
  readonly operation: string;

  @TextKeyColumn
  readonly idempotencyKey: string;

  @TextColumn
  readonly bodyHash: string;

  @TextColumn
  readonly answerSealed: string;

  @TimeColumn
  readonly createdAt: Date;
}

const columns = new Columns(IdempotentAnswerRow);

export type KeptAnswer = Pick<IdempotentAnswerRow, 'bodyHash' | 'answerSealed'>;

export type CallKey = Pick<IdempotentAnswerRow, 'partnerId' | 'operation' | 'idempotencyKey'>;

export interface CallsAround {
  readonly partnerId: string;
  readonly operation: string;
  /** When the business change was made. */
  readonly at: Date;
}

@Injectable()
export class IdempotentAnswersRepository {
  static readonly KEPT_COLUMNS = columns.qualified(['answerSealed', 'bodyHash']);

  constructor(private readonly database: Database) {}

  /** In the order of the calls; null without a response. */
  async find(tx: Tx, calls: readonly CallKey[]): Promise<(KeptAnswer | null)[]> {
    const rows = await tx.query<KeptAnswer & { position: number }>(
      `SELECT c.position, ${columns.selected(['bodyHash', 'answerSealed'], 'a')}
       FROM unnest($1::text[], $2::text[], $3::text[], $4::integer[])
         AS c (partner_id, operation, key, position)
       CROSS JOIN LATERAL (
         SELECT * FROM idempotent_answers
         WHERE partner_id = c.partner_id AND operation = c.operation AND idempotency_key = c.key
         OFFSET 0
       ) AS a
       WHERE a.created_at > app_now() - interval '24 hours'`,
      [
        calls.map(({ partnerId }) => partnerId),
        calls.map(({ operation }) => operation),
        calls.map(({ idempotencyKey }) => idempotencyKey),
        [...calls.keys()],
      ],
    );
    const kept = new Map(rows.map((row) => [row.position, row]));
    return calls.map((_, position) => kept.get(position) ?? null);
  }

  /** Replaces expired responses of the same calls. */
  async keep(tx: Tx, answers: readonly (CallKey & KeptAnswer)[]): Promise<void> {
    if (answers.length === 0) return;
    await tx.execute(KEEP, [JSON.stringify(answers.map((answer) => columns.toRecord(answer)))]);
  }

  async findAround(
    tx: Tx,
    { partnerId, operation, at }: CallsAround,
  ): Promise<(KeptAnswer & Pick<CallKey, 'idempotencyKey'>)[]> {
    return tx.query(
      `SELECT ${columns.selected(['idempotencyKey', 'bodyHash', 'answerSealed'])}
       FROM idempotent_answers
       WHERE partner_id = $1 AND operation = $2
         AND created_at BETWEEN $3::timestamptz - interval '1 minute'
           AND $3::timestamptz + interval '1 minute'`,
      [partnerId, operation, at],
    );
  }

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

const KEPT = columns.list(['partnerId', 'operation', 'idempotencyKey', 'bodyHash', 'answerSealed']);

const KEEP = `
  INSERT INTO idempotent_answers (${KEPT}, created_at)
  SELECT ${KEPT}, app_now() FROM jsonb_populate_recordset(NULL::idempotent_answers, $1)
  ON CONFLICT (partner_id, operation, idempotency_key) DO UPDATE
    SET body_hash = excluded.body_hash, answer_sealed = excluded.answer_sealed,
      created_at = excluded.created_at
`;

export const PLATFORM_ENTITIES = [
  CountedLimit,
  DeploymentRow,
  IdempotentAnswerRow,
  InstalledFunction,
  MasterKeyRow,
];

export const PLATFORM_KEPT: KeptByReset = {
  entities: [DeploymentRow, InstalledFunction, MasterKeyRow],
};
