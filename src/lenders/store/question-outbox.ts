import { Injectable } from '@nestjs/common';
import { In, IsNull } from 'typeorm';
import { appNow, IdGenerator, Keyring, Signal, Tx } from '../../platform/index.js';
import { LenderUnavailable } from '../lender-gateway.js';
import type { QuestionKind } from '../lender-port.js';
import type { ClaimedQuestion } from '../claimed-question.js';
import {
  barePayload,
  type QuestionPayload,
  type RefusedOffer,
  SentBody,
} from '../question-payload.js';
import { LenderQuestionRow } from './lender-question.entity.js';
import { LenderQuestionsRepository } from './lender-questions.repository.js';
import { KEY, MARK_ANSWERED, PUT, PUT_ROWS, STATES } from './question-statements.js';

const PAYLOAD_PURPOSE = 'lender_questions.payload';
const SENT_PURPOSE = 'lender_questions.sent';

export interface NewQuestion {
  readonly partnerId: string;
  readonly subjectId: string;
  readonly lenderCode: string;
  readonly kind: QuestionKind;
  readonly reference: string;
  readonly payload: QuestionPayload;
  readonly delayMs?: number;
  /** Of a redirect step: the provider waits for the applicant. */
  readonly isSessionOpen?: boolean;
  /** The body that the caller has already sent; `delayMs` is then the lender's. */
  readonly asked?: SentBody;
}

type QuestionKey = Pick<LenderQuestionRow, (typeof KEY)[number]>;

export type QuestionState = Pick<
  LenderQuestionRow,
  'lenderCode' | 'status' | 'failures' | 'attempts' | 'isSessionOpen' | 'isUnreachable'
>;

/** Durable questions to lenders, stored in the transaction of the change that raises them. */
@Injectable()
export class QuestionOutbox {
  readonly arrivals = new Signal();

  constructor(
    private readonly ids: IdGenerator,
    private readonly keyring: Keyring,
    private readonly questions: LenderQuestionsRepository,
  ) {}

  /** Idempotent; a repeated question is asked sooner. */
  put(tx: Tx, question: NewQuestion): Promise<void> {
    return this.putAll(tx, [question]);
  }

  async putAll(tx: Tx, questions: readonly NewQuestion[]): Promise<void> {
    const rows = questions.map((question) => ({
      id: this.ids.next('qst'),
      partnerId: question.partnerId,
      subjectId: question.subjectId,
      lenderCode: question.lenderCode,
      kind: question.kind,
      reference: question.reference,
      payloadSealed: this.sealPayload(question.payload),
      sentSealed: question.asked ? this.sealSent(question.asked) : null,
      attempts: question.asked ? 1 : 0,
      isSessionOpen: question.isSessionOpen ?? false,
      delay_ms: question.delayMs ?? 0,
    }));
    await tx.execute(PUT, PUT_ROWS.values(rows));
    tx.afterCommit(() => this.arrivals.raise());
  }

  /**
   * For a caller without the subject's data. Does nothing when the lender was not asked, or erasure was requested.
   */
  async putRefusal(
    tx: Tx,
    question: Pick<NewQuestion, 'partnerId' | 'subjectId' | 'lenderCode' | 'reference'>,
    refusedOffers: readonly RefusedOffer[],
  ): Promise<void> {
    const { partnerId, subjectId, lenderCode } = question;
    const asked = await this.questions.newestAskedOf(tx, partnerId, subjectId);
    const newest = asked.find((one) => one.lenderCode === lenderCode);
    if (!newest) return;
    await this.put(tx, {
      ...question,
      kind: 'WITHDRAWAL',
      payload: {
        ...barePayload(this.openPayload(newest.payloadSealed)),
        withdrawal: { reason: 'OFFER_REFUSED', refusedOffers },
      },
    });
  }

  /** A late answer is still taken. */
  async close(
    tx: Tx,
    subjectIds: readonly string[],
    kinds: readonly QuestionKind[],
  ): Promise<void> {
    await tx.update(
      LenderQuestionRow,
      { subjectId: In(subjectIds), kind: In(kinds), status: 'OPEN' },
      { status: 'CLOSED', closedAt: appNow, sentSealed: null },
    );
  }

  /** @returns the first answer to each question that was still open */
  async markAnswered<Answer extends QuestionKey>(
    tx: Tx,
    ...answers: readonly Answer[]
  ): Promise<Answer[]> {
    const marked = await tx.query<QuestionKey>(
      MARK_ANSWERED,
      KEY.map((field) => answers.map((answer) => answer[field])),
    );
    const open = new Set(marked.map(nameOf));
    return answers.filter((answer) => open.delete(nameOf(answer)));
  }

  /** For a caller that asks in parallel with the worker. */
  async sentBody(tx: Tx, question: QuestionKey): Promise<SentBody> {
    return this.openSent((await this.findAsked(tx, question))?.sentSealed ?? null);
  }

  /** In order of the codes. */
  async lendersAsked(tx: Tx, partnerId: string, subjectId: string): Promise<string[]> {
    const asked = await this.questions.newestAskedOf(tx, partnerId, subjectId);
    return asked.map(({ lenderCode }) => lenderCode);
  }

  unanswered(tx: Tx, subjectId: string, kind: QuestionKind): Promise<string[]> {
    return tx.column<string>(
      `SELECT lender_code AS code FROM lender_questions WHERE subject_id = $1 AND kind = $2
       GROUP BY lender_code HAVING bool_and(status <> 'ANSWERED') ORDER BY lender_code`,
      [subjectId, kind],
    );
  }

  /** @returns null when the lender was not asked */
  async partnerOf(tx: Tx, question: QuestionKey): Promise<string | null> {
    return (await this.findAsked(tx, question))?.partnerId ?? null;
  }

  async isErased(tx: Tx, subjectId: string): Promise<boolean> {
    return tx.repository(LenderQuestionRow).existsBy({ subjectId, payloadSealed: IsNull() });
  }

  /** @returns null when the lender was not asked about the subject */
  async ownerOf(tx: Tx, lenderCode: string, subjectId: string): Promise<string | null> {
    const row = await tx.repository(LenderQuestionRow).findOne({
      select: { partnerId: true },
      where: { lenderCode, subjectId },
    });
    return row?.partnerId ?? null;
  }

  /** An answer counts once it has been processed. */
  async states(
    tx: Tx,
    subjectId: string,
    kind: QuestionKind,
    reference: string,
  ): Promise<readonly QuestionState[]> {
    const states = await this.statesOf(tx, kind, [{ subjectId, reference }]);
    return states.get(subjectId) ?? [];
  }

  /** By subject; one without questions is absent. */
  async statesOf(
    tx: Tx,
    kind: QuestionKind,
    asked: readonly Pick<QuestionKey, 'subjectId' | 'reference'>[],
  ): Promise<ReadonlyMap<string, readonly QuestionState[]>> {
    const rows = await tx.query<QuestionState & Pick<QuestionKey, 'subjectId'>>(STATES, [
      kind,
      asked.map(({ subjectId }) => subjectId),
      asked.map(({ reference }) => reference),
    ]);
    return Map.groupBy(rows, ({ subjectId }) => subjectId);
  }

  openPayload(sealed: string): QuestionPayload {
    return JSON.parse(this.keyring.open(sealed, PAYLOAD_PURPOSE)) as QuestionPayload;
  }

  sealPayload(payload: QuestionPayload): string {
    return this.keyring.seal(JSON.stringify(payload), PAYLOAD_PURPOSE);
  }

  openSent(sealed: string | null, keep?: (body: string) => Promise<void>): SentBody {
    return new SentBody(sealed === null ? null : this.keyring.open(sealed, SENT_PURPOSE), keep);
  }

  /**
   * Stores the body of a claimed question before it is sent.
   * @throws LenderUnavailable when the question is closed, or another caller has sent it
   */
  async keepSent(question: ClaimedQuestion, body: string): Promise<void> {
    const sealed = this.keyring.seal(body, SENT_PURPOSE);
    if (await this.questions.keepSent(question, sealed)) return;
    throw new LenderUnavailable('the question was closed, or sent by another caller');
  }

  /** @returns null when there is nothing new to store */
  sealSent({ toKeep }: SentBody): string | null {
    return toKeep === null ? null : this.keyring.seal(toKeep, SENT_PURPOSE);
  }

  private findAsked(
    tx: Tx,
    { lenderCode, subjectId, kind, reference }: QuestionKey,
  ): Promise<Pick<LenderQuestionRow, 'partnerId' | 'sentSealed'> | null> {
    return tx.repository(LenderQuestionRow).findOne({
      select: { partnerId: true, sentSealed: true },
      where: { lenderCode, subjectId, kind, reference },
    });
  }
}

function nameOf(key: QuestionKey): string {
  return KEY.map((field) => key[field]).join(' ');
}
