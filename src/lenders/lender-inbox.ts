import { Injectable } from '@nestjs/common';
import { type DueQuery, Keyring, Signal, Tx } from '../platform/index.js';
import type { LenderAnswer, QuestionKind } from './lender-port.js';
import {
  type AnswerKey,
  LenderInboxRepository,
  type WaitingRow,
} from './store/lender-inbox.repository.js';

const PURPOSE = 'lender_inbox.answer';

/** An answer as an adapter brings it in: verified there, its id the lender's own. */
export interface ArrivedAnswer {
  readonly lenderCode: string;
  /** The same for every delivery of one answer, and that of no other. */
  readonly answerId: string;
  readonly partnerId: string;
  readonly subjectId: string;
  readonly kind: QuestionKind;
  readonly reference: string;
  readonly answer: LenderAnswer;
}

/** An answer as it is kept. */
export interface KeptAnswer extends Pick<ArrivedAnswer, 'lenderCode' | 'answerId' | 'kind'> {
  readonly id: number;
  readonly receivedAt: Date;
  /** As it is sealed; null once it is erased. */
  readonly answerSealed: string | null;
  readonly isErased: boolean;
  /** Null once it is erased, and when it cannot be opened. */
  readonly answer: LenderAnswer | null;
}

/** An answer that waits to be processed, its row locked by the transaction that took it. */
export interface WaitingAnswer<Kind extends QuestionKind = QuestionKind> extends ArrivedAnswer {
  readonly id: number;
  readonly kind: Kind;
}

/** An answer that is claimed but not yet read: it may turn out to be unreadable. */
export interface ClaimedAnswer<Kind extends QuestionKind = QuestionKind> {
  readonly id: number;
  /** How often it could not be processed. */
  readonly attempts: number;
  readonly partnerId: string;
  readonly subjectId: string;
  /** @throws Error when it was sealed under a key that is not in the ring */
  read(): WaitingAnswer<Kind>;
}

/**
 * Where everything that lenders say comes in, once. The module that owns the subject takes it from
 * here; nothing here calls upwards.
 */
@Injectable()
export class LenderInbox {
  /** Raised after something new came in, with the kinds of the questions that it answers. */
  readonly arrivals = new Signal<ReadonlySet<QuestionKind>>();

  constructor(
    private readonly keyring: Keyring,
    private readonly inbox: LenderInboxRepository,
  ) {}

  /** Stores an answer; false when the same answer was here before. */
  async receive(tx: Tx, arrived: ArrivedAnswer): Promise<boolean> {
    return (await this.receiveAll(tx, [arrived])) > 0;
  }

  /**
   * Stores answers, each once.
   * @returns how many were not here before
   */
  async receiveAll(tx: Tx, arrived: readonly ArrivedAnswer[]): Promise<number> {
    const rows = arrived.map(({ answer, ...known }) => ({
      ...known,
      answerSealed: this.keyring.seal(JSON.stringify(answer), PURPOSE),
    }));
    const received = await this.inbox.insertNew(tx, rows);
    const kinds = new Set(arrived.map(({ kind }) => kind));
    if (received > 0) tx.afterCommit(() => this.arrivals.raise(kinds));
    return received;
  }

  /** Whether there is something of these kinds for `take` and `takeSome`. */
  dueOf(kinds: readonly QuestionKind[]): DueQuery {
    return LenderInboxRepository.dueOf(kinds);
  }

  /**
   * The next answer that nobody else is taking up, or null.
   * @param kinds those that the caller's subjects are asked: each owner takes its own
   */
  async take<Kind extends QuestionKind>(
    tx: Tx,
    kinds: readonly Kind[],
  ): Promise<ClaimedAnswer<Kind> | null> {
    const row = await this.inbox.claimNext(tx, kinds);
    return row && this.toClaimed(row);
  }

  /** The next answers of one kind that nobody else is taking up, so many at most, oldest first. */
  async takeSome<Kind extends QuestionKind>(
    tx: Tx,
    kind: Kind,
    most: number,
  ): Promise<ClaimedAnswer<Kind>[]> {
    const rows = await this.inbox.claimSome(tx, kind, most);
    return rows.map((row) => this.toClaimed(row));
  }

  /** One answer of a subject, waited for when another transaction is processing it. */
  async takeOne<Kind extends QuestionKind>(
    tx: Tx,
    which: AnswerKey<Kind>,
  ): Promise<WaitingAnswer<Kind> | null> {
    const row = await this.inbox.lockOne(tx, which);
    return row && this.toAnswer(row);
  }

  /** How many different answers of a lender to a question have come, the one with this id apart. */
  countOthers(tx: Tx, answer: AnswerKey): Promise<number> {
    return this.inbox.countOthers(tx, answer);
  }

  /** What was said of a subject, oldest first; of one that is erased that something was. */
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

  /** Puts an answer that could not be processed back for later. */
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
