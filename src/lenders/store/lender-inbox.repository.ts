import { Injectable } from '@nestjs/common';
import { And, IsNull, Like, Not } from 'typeorm';
import { auditSource } from '../../audit/index.js';
import { REDIRECT_DEFINITIONS, type RedirectStep } from '../../journey-steps/index.js';
import { Columns, type DueWork, oneOf, type Tx } from '../../platform/index.js';
import { type QuestionKind, REVISED_OFFER } from '../lender-port.js';
import { LenderInboxRow } from './lender-question.entity.js';

const columns = new Columns(LenderInboxRow);

/** Prefix for the ids of internal answers; no lender's id contains a slash. */
export const OWN_ANSWERS = 'unreachable/';

const ARRIVED = [
  'lenderCode',
  'answerId',
  'partnerId',
  'subjectId',
  'kind',
  'reference',
  'answerSealed',
] as const;

type NewInboxRow = Pick<LenderInboxRow, (typeof ARRIVED)[number]>;

/** Not null: unprocessed answers are never erased. */
export type WaitingRow<Kind extends QuestionKind = QuestionKind> = LenderInboxRow & {
  readonly kind: Kind;
  readonly answerSealed: string;
};

export type AnswerKey<Kind extends QuestionKind = QuestionKind> = Pick<
  LenderInboxRow,
  'lenderCode' | 'answerId' | 'subjectId' | 'reference'
> & { readonly kind: Kind };

@Injectable()
export class LenderInboxRepository {
  static readonly PERSONAL_COLUMNS = columns.qualified(['answerSealed']);

  static dueOf(kinds: readonly QuestionKind[]): DueWork {
    const heads = (now: string) =>
      kinds.map((kind) => `(SELECT true ${waiting(`'${kind}'`, now)} LIMIT 1)`);
    return {
      isDue: (now) => `SELECT coalesce(${heads(now).join(', ')})`,
      times: () => `
        SELECT next_attempt_at AS at FROM lender_inbox
        WHERE ${oneOf('kind', kinds)} AND consumed_at IS NULL`,
    };
  }

  /** @returns false when it was stored before */
  async insertNew(tx: Tx, arrived: NewInboxRow, delayMs: number): Promise<boolean> {
    const values = ARRIVED.map((property) => arrived[property]);
    return (await tx.execute(INSERT_NEW, [...values, delayMs])) > 0;
  }

  async sealedOf(
    tx: Tx,
    { lenderCode, answerId }: Pick<LenderInboxRow, 'lenderCode' | 'answerId'>,
  ): Promise<string | null> {
    const row = await tx.repository(LenderInboxRow).findOneBy({ lenderCode, answerId });
    return row?.answerSealed ?? null;
  }

  /** Locks the next free answer until the transaction ends. */
  claimNext<Kind extends QuestionKind>(
    tx: Tx,
    kinds: readonly Kind[],
  ): Promise<WaitingRow<Kind> | null> {
    return tx.first(CLAIM_NEXT, [kinds]);
  }

  async claimSome<Kind extends QuestionKind>(
    tx: Tx,
    kind: Kind,
    most: number,
  ): Promise<WaitingRow<Kind>[]> {
    return tx.query(CLAIM_SOME, [kind, most]);
  }

  async lockOne<Kind extends QuestionKind>(
    tx: Tx,
    { lenderCode, answerId, subjectId, kind, reference }: AnswerKey<Kind>,
  ): Promise<WaitingRow<Kind> | null> {
    const row = await tx.repository(LenderInboxRow).findOne({
      where: { lenderCode, answerId, subjectId, kind, reference, consumedAt: IsNull() },
      lock: { mode: 'pessimistic_write' },
    });
    return row as WaitingRow<Kind> | null;
  }

  async countOthers(
    tx: Tx,
    { lenderCode, subjectId, kind, reference, answerId }: AnswerKey,
  ): Promise<number> {
    return tx.repository(LenderInboxRow).countBy({
      lenderCode,
      subjectId,
      kind,
      reference,
      answerId: And(Not(answerId), Not(Like(`${OWN_ANSWERS}%`))),
    });
  }

  async list(tx: Tx, partnerId: string, subjectId: string): Promise<LenderInboxRow[]> {
    return tx
      .repository(LenderInboxRow)
      .find({ where: { partnerId, subjectId }, order: { id: 'ASC' } });
  }

  async markConsumed(tx: Tx, ids: readonly number[]): Promise<void> {
    await tx.execute(MARK_CONSUMED, [ids]);
  }

  async postpone(tx: Tx, id: number, waitMs: number): Promise<void> {
    await tx.execute(
      `UPDATE lender_inbox SET attempts = attempts + 1,
         next_attempt_at = app_now() + $2 * interval '1 millisecond'
       WHERE id = $1 AND consumed_at IS NULL`,
      [id, waitMs],
    );
  }

  /**
   * Noted withdrawals have no personal data, and unprocessed answers are kept.
   * @returns how many answers were erased
   */
  erase(tx: Tx, partnerId: string, subjectId: string): Promise<number> {
    return tx.update(
      LenderInboxRow,
      {
        partnerId,
        subjectId,
        kind: Not<QuestionKind>('WITHDRAWAL'),
        consumedAt: Not(IsNull()),
        answerSealed: Not(IsNull()),
      },
      { answerSealed: null },
    );
  }
}

// An answer that arrives after its applicant's erasure is not kept, except a noted withdrawal. With EXISTS,
// PostgreSQL may read every question.
const MARK_CONSUMED = `
  UPDATE lender_inbox AS i SET consumed_at = (SELECT app_now()),
    answer_sealed = CASE WHEN kind <> 'WITHDRAWAL' AND (
      SELECT true FROM lender_questions AS q
      WHERE q.subject_id = i.subject_id AND q.payload_sealed IS NULL LIMIT 1)
      THEN NULL ELSE answer_sealed END
  WHERE id = ANY ($1)
`;

const INSERT_NEW = `
  WITH t AS MATERIALIZED (SELECT app_now() AS now)
  INSERT INTO lender_inbox (${columns.list([...ARRIVED, 'receivedAt', 'nextAttemptAt'])})
  SELECT $1, $2, $3, $4, $5, $6, $7, t.now, t.now + $8 * interval '1 millisecond' FROM t
  ON CONFLICT (lender_code, answer_id) DO NOTHING
`;

const waiting = (kind: string, now: string) => `
  FROM lender_inbox WHERE kind = ${kind} AND consumed_at IS NULL AND next_attempt_at <= ${now}
  ORDER BY next_attempt_at, id`;

const due = (kind: string, most = '1') =>
  `SELECT ${columns.selected()} ${waiting(kind, 'app_now()')} LIMIT ${most}`;

const CLAIM_SOME = `${due('$1', '$2')} FOR UPDATE SKIP LOCKED`;

// The index is ordered by time only within a kind. So each kind is searched separately, oldest answer first, without
// reading other kinds.
const CLAIM_NEXT = `
  SELECT free.* FROM (
    SELECT asked.kind FROM unnest($1::text[]) AS asked (kind)
    CROSS JOIN LATERAL (${due('asked.kind')}) AS head
    ORDER BY head."nextAttemptAt", head.id) AS oldest
  CROSS JOIN LATERAL (${due('oldest.kind')} FOR UPDATE SKIP LOCKED) AS free
  LIMIT 1
`;

const OTHER_QUESTIONS: Readonly<Record<Exclude<QuestionKind, RedirectStep>, string>> = {
  OFFERS: 'which offers it makes',
  DISBURSEMENT: 'whether the loan is paid out',
  DECISION: 'whether it lends',
  WITHDRAWAL: 'that it has noted that nothing more comes of an offer or application',
};

const QUESTIONS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(OTHER_QUESTIONS),
  ...REDIRECT_DEFINITIONS.map(({ name, asks }): [string, string] => [name, asks]),
]);

export const LENDER_INBOX_SOURCE = auditSource(LenderInboxRow, {
  subject: 'subjectId',
  at: 'receivedAt',
  sealed: ['answerSealed'],
  // The loan's own audit has the result of processing.
  leftOut: ['attempts', 'nextAttemptAt', 'consumedAt'],
  tell: ({ lender_code: lender = '', kind = '', answer_id: id = '', reference }, event) => {
    const isOurs = id.startsWith(OWN_ANSWERS);
    const isRevised = kind === 'OFFERS' && reference === REVISED_OFFER;
    const what = isRevised
      ? 'by which offer it replaces the chosen one'
      : (QUESTIONS.get(kind) ?? `a question ${kind}`);
    if (event === 'UPDATE') {
      const whose = isOurs
        ? `was noted of the lender ${lender}`
        : `the lender ${lender} had answered`;
      return `What ${whose} was erased: ${what}.`;
    }
    if (isOurs) return `The lender ${lender} could not be reached, to answer ${what}.`;
    if (isRevised) return `The lender ${lender} said ${what} (${id}).`;
    return `The lender ${lender} answered ${what} (answer ${id}).`;
  },
});
