import { Injectable } from '@nestjs/common';
import { IdGenerator, Keyring, Signal, Tx } from '../platform/index.js';
import { barePayload } from './bare-payload.js';
import type { QuestionKind } from './lender-port.js';
import type { QuestionPayload, RefusedOffer } from './question-payload.js';
import { SentBody } from './sent-body.js';
import {
  LenderQuestionsRepository,
  type QuestionKey,
  type QuestionState,
} from './store/lender-questions.repository.js';

export const PAYLOAD_PURPOSE = 'lender_questions.payload';
export const SENT_PURPOSE = 'lender_questions.sent';

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
  /** What was sent, of one that whoever puts it has just asked by itself: `delayMs` is the lender's. */
  readonly asked?: SentBody;
}

/** Takes questions in the transaction of the change that raises them. */
@Injectable()
export class QuestionOutbox {
  /** Raised after a question was put here. */
  readonly arrivals = new Signal();

  constructor(
    private readonly ids: IdGenerator,
    private readonly keyring: Keyring,
    private readonly questions: LenderQuestionsRepository,
  ) {}

  /** Puts a question, once: the same one again has it asked sooner, with what is known by then. */
  put(tx: Tx, question: NewQuestion): Promise<void> {
    return this.putAll(tx, [question]);
  }

  /** The same for several questions, no two of which are the same. */
  async putAll(tx: Tx, questions: readonly NewQuestion[]): Promise<void> {
    const rows = questions.map((question) => ({
      row: {
        id: this.ids.next('qst'),
        partnerId: question.partnerId,
        subjectId: question.subjectId,
        lenderCode: question.lenderCode,
        kind: question.kind,
        reference: question.reference,
        payloadSealed: this.keyring.seal(JSON.stringify(question.payload), PAYLOAD_PURPOSE),
        sentSealed: this.sealed(question.asked?.toKeep ?? null),
        attempts: question.asked ? 1 : 0,
        isSessionOpen: question.isSessionOpen ?? false,
      },
      delayMs: question.delayMs ?? 0,
    }));
    await this.questions.put(tx, rows);
    tx.afterCommit(() => this.arrivals.raise());
  }

  /**
   * Tells a lender that offers of its are refused, and why, where the caller knows no more of the subject
   * than the lender does. A lender that was told nothing, or is to forget it, is told nothing now.
   */
  async putRefusal(
    tx: Tx,
    question: Pick<NewQuestion, 'partnerId' | 'subjectId' | 'lenderCode' | 'reference'>,
    refusedOffers: readonly RefusedOffer[],
  ): Promise<void> {
    const { partnerId, subjectId, lenderCode } = question;
    const told = await this.questions.newestToldOf(tx, partnerId, subjectId);
    const newest = told.find((one) => one.lenderCode === lenderCode);
    if (!newest) return;
    const payload = this.keyring.open(newest.payloadSealed, PAYLOAD_PURPOSE);
    await this.put(tx, {
      ...question,
      kind: 'WITHDRAWAL',
      payload: {
        ...barePayload(JSON.parse(payload) as QuestionPayload),
        withdrawal: { reason: 'OFFER_REFUSED', refusedOffers },
      },
    });
  }

  /** Has what is still open of subjects be asked no more; a late answer is taken in all the same. */
  async close(
    tx: Tx,
    subjectIds: readonly string[],
    kinds: readonly QuestionKind[],
  ): Promise<void> {
    await this.questions.close(tx, subjectIds, kinds);
  }

  /**
   * Closes questions whose answers have been processed, whoever brought them: a poll, a callback, a
   * return.
   */
  async markAnswered(tx: Tx, ...questions: readonly QuestionKey[]): Promise<void> {
    await this.questions.markAnswered(tx, questions);
  }

  /** What was sent of a question, for whoever asks it beside the worker. */
  async sentBody(tx: Tx, question: QuestionKey): Promise<SentBody> {
    const sealed = (await this.questions.findAsked(tx, question))?.sentSealed ?? null;
    return this.readSent(sealed);
  }

  readSent(sealed: string | null): SentBody {
    return new SentBody(sealed === null ? null : this.keyring.open(sealed, SENT_PURPOSE));
  }

  sealed(sent: string | null): string | null {
    return sent === null ? null : this.keyring.seal(sent, SENT_PURPOSE);
  }

  /** The codes of the lenders that were told anything of a subject, in order. */
  async lendersTold(tx: Tx, partnerId: string, subjectId: string): Promise<string[]> {
    const told = await this.questions.newestToldOf(tx, partnerId, subjectId);
    return told.map(({ lenderCode }) => lenderCode);
  }

  /** The codes of the lenders that were asked questions of this kind and have answered none. */
  unanswered(tx: Tx, subjectId: string, kind: QuestionKind): Promise<string[]> {
    return this.questions.unanswered(tx, subjectId, kind);
  }

  /** The partner of a question that was put to the lender; null when it was not asked this. */
  async askedFor(tx: Tx, question: QuestionKey): Promise<string | null> {
    return (await this.questions.findAsked(tx, question))?.partnerId ?? null;
  }

  /** Whether the applicant of a subject was erased: nothing more is kept of them. */
  isErased(tx: Tx, subjectId: string): Promise<boolean> {
    return this.questions.isErased(tx, subjectId);
  }

  /** Of these subjects those that the lender was asked about, with their partners. */
  ownersOf(
    tx: Tx,
    lenderCode: string,
    subjectIds: readonly string[],
    kinds: readonly QuestionKind[],
  ): Promise<ReadonlyMap<string, string>> {
    return this.questions.ownersOf(tx, lenderCode, subjectIds, kinds);
  }

  /** An answer counts once it has been processed: while it waits in the inbox, nobody knows it. */
  async states(
    tx: Tx,
    subjectId: string,
    kind: QuestionKind,
    reference: string,
  ): Promise<readonly QuestionState[]> {
    const states = await this.statesOf(tx, kind, [{ subjectId, reference }]);
    return states.get(subjectId) ?? [];
  }

  /** The same of several subjects, by their ids; one that was asked nothing is not among them. */
  async statesOf(
    tx: Tx,
    kind: QuestionKind,
    asked: readonly Pick<QuestionKey, 'subjectId' | 'reference'>[],
  ): Promise<ReadonlyMap<string, readonly QuestionState[]>> {
    return this.questions.statesOf(tx, kind, asked);
  }
}
