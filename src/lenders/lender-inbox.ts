import { Injectable } from '@nestjs/common';
import { Keyring, Signal, Tx } from '../platform/index.js';
import type { LenderAnswer, QuestionKind } from './lender-port.js';

const PURPOSE = 'lender_inbox.answer';

/** An answer as an adapter brings it in: verified there, its id the lender's own. */
export interface ArrivedAnswer {
  readonly lenderCode: string;
  /** The same for every delivery of one answer. */
  readonly answerId: string;
  readonly partnerId: string;
  readonly subjectId: string;
  readonly kind: QuestionKind;
  readonly reference: string;
  readonly answer: LenderAnswer;
}

/** An answer that waits to be taken up, its row locked by the transaction that took it. */
export interface WaitingAnswer<Kind extends QuestionKind = QuestionKind> extends ArrivedAnswer {
  readonly id: number;
  readonly kind: Kind;
}

/** An answer that is claimed but not yet read: it may turn out to be unreadable. */
export interface ClaimedAnswer<Kind extends QuestionKind = QuestionKind> {
  readonly id: number;
  /** How often it could not be taken up. */
  readonly attempts: number;
  readonly partnerId: string;
  readonly subjectId: string;
  /** @throws Error when it was sealed under a key that is not in the ring */
  read(): WaitingAnswer<Kind>;
}

interface InboxRow<Kind extends QuestionKind = QuestionKind> {
  id: number;
  attempts: number;
  lender_code: string;
  answer_id: string;
  partner_id: string;
  subject_id: string;
  kind: Kind;
  reference: string;
  answer_sealed: string;
}

/**
 * Where everything that lenders say comes in, once. The module that owns the subject takes it from
 * here; nothing here calls upwards.
 */
@Injectable()
export class LenderInbox {
  /** Raised after something new came in, with the kinds of the questions that it answers. */
  readonly arrivals = new Signal<ReadonlySet<QuestionKind>>();

  constructor(private readonly keyring: Keyring) {}

  /** Stores an answer; false when the same answer was here before. */
  async receive(tx: Tx, arrived: ArrivedAnswer): Promise<boolean> {
    return (await this.receiveAll(tx, [arrived])) > 0;
  }

  /**
   * Stores answers, each once.
   * @returns how many were not here before
   */
  async receiveAll(tx: Tx, arrived: readonly ArrivedAnswer[]): Promise<number> {
    const received = await tx.execute(RECEIVE, [
      arrived.map(({ lenderCode }) => lenderCode),
      arrived.map(({ answerId }) => answerId),
      arrived.map(({ partnerId }) => partnerId),
      arrived.map(({ subjectId }) => subjectId),
      arrived.map(({ kind }) => kind),
      arrived.map(({ reference }) => reference),
      arrived.map(({ answer }) => this.keyring.seal(JSON.stringify(answer), PURPOSE)),
    ]);
    const kinds = new Set(arrived.map(({ kind }) => kind));
    if (received > 0) tx.afterCommit(() => this.arrivals.raise(kinds));
    return received;
  }

  /**
   * The next answer that nobody else is taking up, or null.
   * @param kinds those that the caller's subjects are asked: each owner takes its own
   */
  async take<Kind extends QuestionKind>(
    tx: Tx,
    kinds: readonly Kind[],
  ): Promise<ClaimedAnswer<Kind> | null> {
    const [row] = await tx.query<InboxRow<Kind>>(TAKE, [kinds]);
    return row ? this.toClaimed(row) : null;
  }

  /** The next answers of one kind that nobody else is taking up, so many at most, oldest first. */
  async takeSome<Kind extends QuestionKind>(
    tx: Tx,
    kind: Kind,
    most: number,
  ): Promise<ClaimedAnswer<Kind>[]> {
    const rows = await tx.query<InboxRow<Kind>>(TAKE_SOME, [kind, most]);
    return rows.map((row) => this.toClaimed(row));
  }

  /** One answer of a subject, waited for when another transaction is taking it up. */
  async takeOne<Kind extends QuestionKind>(
    tx: Tx,
    { lenderCode, answerId, kind }: { lenderCode: string; answerId: string; kind: Kind },
  ): Promise<WaitingAnswer<Kind> | null> {
    const [row] = await tx.query<InboxRow<Kind>>(
      `SELECT * FROM lender_inbox
       WHERE lender_code = $1 AND answer_id = $2 AND kind = $3 AND consumed_at IS NULL FOR UPDATE`,
      [lenderCode, answerId, kind],
    );
    return row ? this.toAnswer(row) : null;
  }

  async markConsumed(tx: Tx, ...ids: readonly number[]): Promise<void> {
    await tx.execute('UPDATE lender_inbox SET consumed_at = app_now() WHERE id = ANY ($1)', [ids]);
  }

  /** Puts an answer that could not be taken up back for later. */
  async postpone(tx: Tx, id: number, waitMs: number): Promise<void> {
    await tx.execute(
      `UPDATE lender_inbox SET attempts = attempts + 1,
         next_attempt_at = app_now() + $2 * interval '1 millisecond'
       WHERE id = $1 AND consumed_at IS NULL`,
      [id, waitMs],
    );
  }

  /**
   * Erases a subject's answers that have been taken up; one that still waits is not lost.
   * @returns how many there were
   */
  erase(tx: Tx, partnerId: string, subjectId: string): Promise<number> {
    return tx.execute(
      `UPDATE lender_inbox SET answer_sealed = NULL
       WHERE partner_id = $1 AND subject_id = $2 AND consumed_at IS NOT NULL
         AND answer_sealed IS NOT NULL`,
      [partnerId, subjectId],
    );
  }

  private toClaimed<Kind extends QuestionKind>(row: InboxRow<Kind>): ClaimedAnswer<Kind> {
    const { id, attempts, partner_id: partnerId, subject_id: subjectId } = row;
    return { id, attempts, partnerId, subjectId, read: () => this.toAnswer(row) };
  }

  private toAnswer<Kind extends QuestionKind>(row: InboxRow<Kind>): WaitingAnswer<Kind> {
    return {
      id: row.id,
      lenderCode: row.lender_code,
      answerId: row.answer_id,
      partnerId: row.partner_id,
      subjectId: row.subject_id,
      kind: row.kind,
      reference: row.reference,
      answer: JSON.parse(this.keyring.open(row.answer_sealed, PURPOSE)) as LenderAnswer,
    };
  }
}

// In one order, or two that store the same answers at the same moment might wait for each other in a
// circle.
const RECEIVE = `
  INSERT INTO lender_inbox (lender_code, answer_id, partner_id, subject_id, kind, reference,
    answer_sealed, received_at, next_attempt_at)
  SELECT a.*, t.now, t.now
  FROM (SELECT app_now() AS now) AS t, unnest($1::text[], $2::text[], $3::text[], $4::text[],
    $5::text[], $6::text[], $7::text[])
    AS a (lender_code, answer_id, partner_id, subject_id, kind, reference, answer_sealed)
  ORDER BY a.lender_code, a.answer_id
  ON CONFLICT (lender_code, answer_id) DO NOTHING
`;

const due = (kind: string, most = '1') => `
  SELECT * FROM lender_inbox
  WHERE kind = ${kind} AND consumed_at IS NULL AND next_attempt_at <= app_now()
  ORDER BY next_attempt_at, id LIMIT ${most}`;

const TAKE_SOME = `${due('$1', '$2')} FOR UPDATE SKIP LOCKED`;

// The index answers in the order of time for one kind alone, so the kinds are looked at one by one,
// that of the oldest answer first, and the first that has a free one ends the search. What waits for
// other takers is never walked through.
const TAKE = `
  SELECT free.* FROM (
    SELECT asked.kind FROM unnest($1::text[]) AS asked (kind)
    CROSS JOIN LATERAL (${due('asked.kind')}) AS head
    ORDER BY head.next_attempt_at, head.id) AS oldest
  CROSS JOIN LATERAL (${due('oldest.kind')} FOR UPDATE SKIP LOCKED) AS free
  LIMIT 1
`;
