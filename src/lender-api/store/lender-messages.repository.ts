import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import { auditSource } from '../../audit/index.js';
import { Columns, Database, type KeptByReset, Keyring, type Tx } from '../../platform/index.js';
import { LenderApiKey, LenderMessage, LenderRequestId } from './lender-api.entity.js';

const columns = new Columns(LenderMessage);

/** Lenders do not repeat older messages. */
const DAYS_KEPT = 180;
const PURPOSE = 'lender_messages.body';

export type NewLenderMessage = Pick<
  LenderMessage,
  'lenderCode' | 'kind' | 'messageId' | 'partnerId' | 'subjectId'
> & {
  readonly json: string;
};

interface Chunk {
  readonly last: number | null;
  readonly old: number;
}

/** `AGAIN`: a repetition. `OTHER`: another message with the same id. */
export type KeptMessage = 'NEW' | 'AGAIN' | 'OTHER';

@Injectable()
export class LenderMessagesRepository {
  static readonly PERSONAL_COLUMNS = columns.qualified(['bodySealed']);

  constructor(private readonly keyring: Keyring) {}

  async keep(tx: Tx, message: NewLenderMessage, body: object): Promise<KeptMessage> {
    return this.insert(tx, message, this.keyring.seal(JSON.stringify(body), PURPOSE));
  }

  /** Without the body: its hash identifies a repetition. */
  async note(tx: Tx, message: NewLenderMessage): Promise<KeptMessage> {
    return this.insert(tx, message, null);
  }

  /** Without erased messages; `body` is null when it cannot be opened. */
  async bodiesOf(
    tx: Tx,
    subjectId: string,
  ): Promise<{ id: number; bodySealed: string; body: string | null }[]> {
    const rows = await tx
      .repository(LenderMessage)
      .find({ where: { subjectId, bodySealed: Not(IsNull()) } });
    return rows.map(({ id, bodySealed }) => {
      const body = this.keyring.openOrNull(bodySealed!, PURPOSE);
      return { id, bodySealed: bodySealed!, body };
    });
  }

  async countOf(tx: Tx, lenderCode: string, subjectId: string): Promise<number> {
    return tx.repository(LenderMessage).countBy({ lenderCode, subjectId });
  }

  private async insert(
    tx: Tx,
    { json, ...message }: NewLenderMessage,
    bodySealed: string | null,
  ): Promise<KeptMessage> {
    const bodyHash = this.keyring.lookupHash(json, PURPOSE);
    if (await tx.insertOnce(LenderMessage, { ...message, bodyHash, bodySealed })) return 'NEW';
    const { lenderCode, kind, messageId } = message;
    const before = await tx
      .repository(LenderMessage)
      .findOneByOrFail({ lenderCode, kind, messageId });
    const isSame = this.keyring.lookupHashes(json, PURPOSE).includes(before.bodyHash);
    return isSame ? 'AGAIN' : 'OTHER';
  }

  /**
   * Removes messages that no loan's history needs.
   * @param after end of the previous chunk; 0 for the first
   * @returns end of this chunk; null when younger messages follow
   */
  async removeOld(tx: Tx, most: number, after: number): Promise<number | null> {
    const [chunk] = await tx.query<Chunk>(REMOVE_OLD, [most, DAYS_KEPT, after]);
    return chunk.old < most ? null : chunk.last;
  }

  erase(tx: Tx, partnerId: string, subjectId: string): Promise<number> {
    return tx.update(
      LenderMessage,
      { partnerId, subjectId, bodySealed: Not(IsNull()) },
      { bodySealed: null },
    );
  }
}

const REMOVE_OLD = `
  WITH looked AS MATERIALIZED (
    SELECT id, received_at < app_now() - $2 * interval '1 day' AS is_old
    FROM lender_messages WHERE id > $3 ORDER BY id LIMIT $1
  ),
  removed AS (
    DELETE FROM lender_messages WHERE id = ANY (ARRAY(
      SELECT m.id FROM lender_messages AS m JOIN looked ON looked.id = m.id AND looked.is_old
      WHERE m.kind IN ('ANSWER', 'STATEMENT') ORDER BY m.id FOR UPDATE OF m SKIP LOCKED))
  )
  SELECT max(id) AS last, (count(*) FILTER (WHERE is_old))::int AS old FROM looked
`;

const WHAT: Readonly<Record<LenderMessage['kind'], string>> = {
  ANSWER: 'answered a question without being asked again',
  OFFER_REVISION: 'told of a revised offer',
  LOAN_EVENT: 'told what happened with the loan',
  STATEMENT: 'told what it paid out on a day',
};

export const LENDER_MESSAGE_SOURCE = auditSource(LenderMessage, {
  subject: 'subjectId',
  at: 'receivedAt',
  sealed: ['bodySealed'],
  // In a loan's chain only answers are deleted: the lender inbox also stores them.
  removedAfterDays: ({ kind }) => (kind === 'ANSWER' ? DAYS_KEPT : undefined),
  tell: ({ lender_code: lender = '', kind = '', message_id: id = '' }, event) =>
    event === 'UPDATE'
      ? `What the lender ${lender} had told was erased (message ${id}).`
      : `The lender ${lender} ${WHAT[kind as LenderMessage['kind']] ?? `told ${kind}`} (message ${id}).`,
});

export const LENDER_API_KEPT: KeptByReset = { entities: [LenderApiKey] };
export const LENDER_API_ENTITIES = [LenderApiKey, LenderMessage, LenderRequestId];

@Injectable()
export class LenderRequestIdsRepository {
  constructor(private readonly database: Database) {}

  /** @returns false when a replica has used it before */
  async use(lenderCode: string, jti: string): Promise<boolean> {
    return this.database.transaction((tx) => tx.insertOnce(LenderRequestId, { lenderCode, jti }));
  }

  async deleteOld(tx: Tx, most: number): Promise<number> {
    const [{ gone }] = await tx.query<{ gone: number }>(DELETE_OLD, [most]);
    return gone;
  }
}

// By the clock that checks signatures: the sandbox's may be ahead.
const DELETE_OLD = `
  WITH removed AS (
    DELETE FROM lender_request_ids WHERE (lender_code, jti) IN (
      SELECT lender_code, jti FROM lender_request_ids
      WHERE used_at <= now() - interval '15 minutes'
      ORDER BY used_at LIMIT $1 FOR UPDATE SKIP LOCKED)
    RETURNING 1
  )
  SELECT count(*)::int AS gone FROM removed
`;
