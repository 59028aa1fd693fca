import { Injectable } from '@nestjs/common';
import { IdGenerator, Keyring, Signal, Tx } from '../platform/index.js';
import type { QuestionKind, QuestionPayload } from './lender-port.js';

export const PAYLOAD_PURPOSE = 'lender_questions.payload';

/** A question to be put to a lender, durably: it survives whoever put it. */
export interface NewQuestion {
  readonly partnerId: string;
  readonly subjectId: string;
  readonly lenderCode: string;
  readonly kind: QuestionKind;
  readonly reference: string;
  readonly payload: QuestionPayload;
  /** How long to wait before it is first put; at once when left out. */
  readonly delayMs?: number;
  /** Of a redirect step: whether the provider waits for the applicant, as far as is known. */
  readonly isSessionOpen?: boolean;
}

/** Which of a lender's questions on a subject is meant. */
export interface QuestionKey {
  readonly subjectId: string;
  readonly kind: QuestionKind;
  readonly reference: string;
  readonly lenderCode: string;
}

/** How the questions of one subject and kind stand. */
export interface QuestionStanding {
  readonly lenderCode: string;
  readonly status: 'OPEN' | 'ANSWERED' | 'CLOSED';
  readonly failures: number;
  readonly attempts: number;
  /** Of a redirect step: whether the provider, when last heard of, waited for the applicant. */
  readonly isSessionOpen: boolean;
}

/** Takes questions in the transaction of the change that raises them. */
@Injectable()
export class QuestionDesk {
  /** Raised after a question was put here. */
  readonly arrivals = new Signal();

  constructor(
    private readonly ids: IdGenerator,
    private readonly keyring: Keyring,
  ) {}

  /** Puts a question, once: the same one again has it asked sooner, with what is known by then. */
  put(tx: Tx, question: NewQuestion): Promise<void> {
    return this.putAll(tx, [question]);
  }

  /** The same for several questions, no two of which are the same. */
  async putAll(tx: Tx, questions: readonly NewQuestion[]): Promise<void> {
    const rows = questions.map((question) => ({
      id: this.ids.next('qst'),
      partner_id: question.partnerId,
      subject_id: question.subjectId,
      lender_code: question.lenderCode,
      kind: question.kind,
      reference: question.reference,
      payload_sealed: this.keyring.seal(JSON.stringify(question.payload), PAYLOAD_PURPOSE),
      delay_ms: question.delayMs ?? 0,
      is_session_open: question.isSessionOpen ?? false,
    }));
    await tx.execute(
      `INSERT INTO lender_questions AS q (id, partner_id, subject_id, lender_code, kind, reference,
         payload_sealed, is_session_open, next_attempt_at, created_at)
       SELECT id, partner_id, subject_id, lender_code, kind, reference, payload_sealed,
         is_session_open, app_now() + delay_ms * interval '1 millisecond', app_now()
       FROM jsonb_to_recordset($1) AS r (id text, partner_id text, subject_id text,
         lender_code text, kind text, reference text, payload_sealed text, delay_ms integer,
         is_session_open boolean)
       ON CONFLICT (subject_id, kind, reference, lender_code) DO UPDATE
         SET next_attempt_at = least(q.next_attempt_at, excluded.next_attempt_at),
           is_session_open = excluded.is_session_open
         WHERE q.status = 'OPEN'`,
      [JSON.stringify(rows)],
    );
    tx.afterCommit(() => this.arrivals.raise());
  }

  /** Has what is still open of subjects be asked no more; a late answer is taken in all the same. */
  async close(
    tx: Tx,
    subjectIds: readonly string[],
    kinds: readonly QuestionKind[],
  ): Promise<void> {
    await tx.execute(
      `UPDATE lender_questions SET status = 'CLOSED', closed_at = app_now()
       WHERE subject_id = ANY ($1) AND kind = ANY ($2) AND status = 'OPEN'`,
      [subjectIds, kinds],
    );
  }

  /**
   * Closes questions whose answers have been taken up, whoever brought them: a poll, a callback, a
   * return.
   */
  async markAnswered(tx: Tx, ...questions: readonly QuestionKey[]): Promise<void> {
    await tx.execute(
      `UPDATE lender_questions AS q SET status = 'ANSWERED', closed_at = app_now()
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[])
         AS a (subject_id, kind, reference, lender_code)
       WHERE q.subject_id = a.subject_id AND q.kind = a.kind AND q.reference = a.reference
         AND q.lender_code = a.lender_code AND q.closed_at IS NULL`,
      [
        questions.map(({ subjectId }) => subjectId),
        questions.map(({ kind }) => kind),
        questions.map(({ reference }) => reference),
        questions.map(({ lenderCode }) => lenderCode),
      ],
    );
  }

  /**
   * Erases what the questions of a subject that is over say of the applicant, and asks them no more.
   * A withdrawal is still put: the lender knows whom it means by its own reference.
   * @returns how many had anything to erase
   */
  async erase(tx: Tx, partnerId: string, subjectId: string): Promise<number> {
    const withdrawals = await tx.query<{ id: string; payload_sealed: string }>(
      `SELECT id, payload_sealed FROM lender_questions
       WHERE partner_id = $1 AND subject_id = $2 AND kind = 'WITHDRAWAL' AND status = 'OPEN'
       FOR UPDATE`,
      [partnerId, subjectId],
    );
    for (const { id, payload_sealed } of withdrawals) {
      await tx.execute('UPDATE lender_questions SET payload_sealed = $2 WHERE id = $1', [
        id,
        this.withoutApplicant(payload_sealed),
      ]);
    }
    return tx.execute(
      `UPDATE lender_questions SET payload_sealed = NULL,
         status = CASE status WHEN 'OPEN' THEN 'CLOSED' ELSE status END,
         closed_at = coalesce(closed_at, app_now())
       WHERE partner_id = $1 AND subject_id = $2 AND payload_sealed IS NOT NULL
         AND NOT (kind = 'WITHDRAWAL' AND status = 'OPEN')`,
      [partnerId, subjectId],
    );
  }

  private withoutApplicant(sealed: string): string {
    const { productCode, loanAmount, offerReference } = JSON.parse(
      this.keyring.open(sealed, PAYLOAD_PURPOSE),
    ) as QuestionPayload;
    const left: QuestionPayload = {
      productCode,
      loanAmount,
      applicant: { mobile: '', pan: '' },
      ...(offerReference !== undefined && { offerReference }),
    };
    return this.keyring.seal(JSON.stringify(left), PAYLOAD_PURPOSE);
  }

  /** An answer counts once it has been taken up: while it waits in the inbox, nobody knows it. */
  async standings(
    tx: Tx,
    subjectId: string,
    kind: QuestionKind,
    reference: string,
  ): Promise<readonly QuestionStanding[]> {
    const standings = await this.standingsOf(tx, kind, [{ subjectId, reference }]);
    return standings.get(subjectId) ?? [];
  }

  /** The same of several subjects, by their ids; one that was asked nothing is not among them. */
  async standingsOf(
    tx: Tx,
    kind: QuestionKind,
    asked: readonly Pick<QuestionKey, 'subjectId' | 'reference'>[],
  ): Promise<ReadonlyMap<string, readonly QuestionStanding[]>> {
    const rows = await tx.query<QuestionStanding & { subjectId: string }>(
      `SELECT q.subject_id AS "subjectId", lender_code AS "lenderCode", failures, attempts,
         is_session_open AS "isSessionOpen", CASE WHEN closed_at IS NULL THEN 'OPEN' ELSE status END AS status
       FROM unnest($2::text[], $3::text[]) AS a (subject_id, reference)
       JOIN lender_questions AS q ON q.subject_id = a.subject_id AND q.kind = $1
         AND q.reference = a.reference
       ORDER BY lender_code`,
      [kind, asked.map(({ subjectId }) => subjectId), asked.map(({ reference }) => reference)],
    );
    return Map.groupBy(rows, ({ subjectId }) => subjectId);
  }
}
