import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { type DueWork, Keyring, Signal, Tx } from '../platform/index.js';
import type { LenderAnswer, QuestionKind } from './lender-port.js';
import {
  type AnswerKey,
  LenderInboxRepository,
  type WaitingRow,
} from './store/lender-inbox.repository.js';

const PURPOSE = 'lender_inbox.answer';

/** Verified by its adapter. */
export interface ArrivedAnswer {
  readonly lenderCode: string;
  readonly answerId: string;
  readonly partnerId: string;
  readonly subjectId: string;
  readonly kind: QuestionKind;
  readonly reference: string;
  readonly answer: LenderAnswer;
}

export interface KeptAnswer extends Pick<ArrivedAnswer, 'lenderCode' | 'answerId' | 'kind'> {
  readonly id: number;
  readonly receivedAt: Date;
  readonly answerSealed: string | null;
  readonly isErased: boolean;
  /** Null once erased, or when it cannot be decrypted. */
  readonly answer: LenderAnswer | null;
}

export interface WaitingAnswer<Kind extends QuestionKind = QuestionKind> extends ArrivedAnswer {
  readonly id: number;
  readonly kind: Kind;
}

/** Not decrypted yet: that can fail. */
export interface ClaimedAnswer<Kind extends QuestionKind = QuestionKind> {
  readonly id: number;
  readonly attempts: number;
  readonly partnerId: string;
  readonly subjectId: string;
  /** @throws Error when its encryption key is missing */
  read(): WaitingAnswer<Kind>;
}

/** Stores every lender answer once, until the module that owns the subject takes it. */
@Injectable()
export class LenderInbox {
  readonly arrivals = new Signal<QuestionKind>();

  constructor(
    private readonly keyring: Keyring,
    private readonly inbox: LenderInboxRepository,
  ) {}

  /**
   * @param delayMs before it is processed
   * @returns false for a repeated answer
   */
  async receive(tx: Tx, { answer, ...known }: ArrivedAnswer, delayMs = 0): Promise<boolean> {
    const answerSealed = this.keyring.seal(JSON.stringify(answer), PURPOSE);
    const isNew = await this.inbox.insertNew(tx, { ...known, answerSealed }, delayMs);
    if (isNew) tx.afterCommit(() => this.arrivals.raise(known.kind));
    return isNew;
  }

  /** Whether the stored answer with this id says the same; true once it cannot be read. */
  async isRepeated(tx: Tx, { answer, ...known }: ArrivedAnswer): Promise<boolean> {
    const sealed = await this.inbox.sealedOf(tx, known);
    const text = sealed && this.keyring.openOrNull(sealed, PURPOSE);
    return !text || isDeepStrictEqual(JSON.parse(text), JSON.parse(JSON.stringify(answer)));
  }

  dueOf(kinds: readonly QuestionKind[]): DueWork {
    return LenderInboxRepository.dueOf(kinds);
  }

  /**
   * The next unlocked answer, or null.
   * @param kinds those that the caller owns
   */
  async take<Kind extends QuestionKind>(
    tx: Tx,
    kinds: readonly Kind[],
  ): Promise<ClaimedAnswer<Kind> | null> {
    const row = await this.inbox.claimNext(tx, kinds);
    return row && this.toClaimed(row);
  }

  /** Oldest first. */
  async takeSome<Kind extends QuestionKind>(
    tx: Tx,
    kind: Kind,
    most: number,
  ): Promise<ClaimedAnswer<Kind>[]> {
    const rows = await this.inbox.claimSome(tx, kind, most);
    return rows.map((row) => this.toClaimed(row));
  }

  /** Waits while another transaction processes it. */
  async takeOne<Kind extends QuestionKind>(
    tx: Tx,
    which: AnswerKey<Kind>,
  ): Promise<WaitingAnswer<Kind> | null> {
    const row = await this.inbox.lockOne(tx, which);
    return row && this.toAnswer(row);
  }

  countOthers(tx: Tx, answer: AnswerKey): Promise<number> {
    return this.inbox.countOthers(tx, answer);
  }

  async keptOf(tx: Tx, partnerId: string, subjectId: string): Promise<KeptAnswer[]> {
    const rows = await this.inbox.list(tx, partnerId, subjectId);
    return rows.map(({ id, lenderCode, answerId, kind, receivedAt, answerSealed }) => {
      const isErased = answerSealed === null;
      const text = isErased ? null : this.keyring.openOrNull(answerSealed, PURPOSE);
      const answer = text === null ? null : (JSON.parse(text) as LenderAnswer);
      return { id, lenderCode, answerId, kind, receivedAt, answerSealed, isErased, answer };
    });
  }

  async markConsumed(tx: Tx, ...ids: readonly number[]): Promise<void> {
    await this.inbox.markConsumed(tx, ids);
  }

  async postpone(tx: Tx, id: number, waitMs: number): Promise<void> {
    await this.inbox.postpone(tx, id, waitMs);
  }

  private toClaimed<Kind extends QuestionKind>(row: WaitingRow<Kind>): ClaimedAnswer<Kind> {
    const { id, attempts, partnerId, subjectId } = row;
    return { id, attempts, partnerId, subjectId, read: () => this.toAnswer(row) };
  }

  private toAnswer<Kind extends QuestionKind>(row: WaitingRow<Kind>): WaitingAnswer<Kind> {
    const { id, lenderCode, answerId, partnerId, subjectId, kind, reference, answerSealed } = row;
    const answer = JSON.parse(this.keyring.open(answerSealed, PURPOSE)) as LenderAnswer;
    return { id, lenderCode, answerId, partnerId, subjectId, kind, reference, answer };
  }
}
