import { Injectable } from '@nestjs/common';
import { Keyring } from '../crypto/keyring.js';
import type { Tx } from '../database/tx.js';
import { Fault } from '../errors/fault.js';
import {
  type CallsAround,
  IdempotentAnswersRepository,
  type KeptAnswer,
} from '../store/idempotent-answers.repository.js';
import { ScheduledTask } from '../work/scheduled-task.js';
import type { IdempotencyKey } from './idempotency-key.js';

const PURPOSE = 'idempotent_answers.answer';
const BODY_PURPOSE = 'idempotent_answers.body_hash';
const CLEAN_UP_EVERY_MS = 600_000;
const ROWS_A_CHUNK = 5_000;

/** Whose call it is, and which. */
export interface IdempotentCall {
  readonly partnerId: string;
  /** The operation's name, the same under every path that serves it. */
  readonly operation: string;
  readonly idempotencyKey: IdempotencyKey | null;
}

export interface IdempotentResult<Answer> {
  readonly answer: Answer;
  /** Whether it is the answer to an earlier request. */
  readonly isReplayed: boolean;
}

/** Which kept answers are to be forgotten. */
export interface ForgottenAnswers extends CallsAround {
  readonly isMeant: (answer: object) => boolean;
}

/** A call with a key, and its index among the calls of its transaction. */
interface KeyedCall extends IdempotencyKey, Omit<IdempotentCall, 'idempotencyKey'> {
  readonly callIndex: number;
}

/**
 * Answers a retry as its first request was answered, for 24 hours. The answer is kept in the
 * transaction of the business change, so a crash right after the commit replays it, too.
 */
@Injectable()
export class Idempotency {
  /** What is kept of a call, until it is forgotten. */
  static readonly KEPT_COLUMNS = IdempotentAnswersRepository.KEPT_COLUMNS;

  constructor(
    private readonly answers: IdempotentAnswersRepository,
    private readonly keyring: Keyring,
  ) {}

  /**
   * Does `work` in `tx`, or answers what it answered before.
   * @throws Fault idempotency_key_reused when the body is another, idempotency_in_flight while the
   *   first request is in progress, on whatever replica
   */
  async once<Answer extends object>(
    tx: Tx,
    call: IdempotentCall,
    work: () => Promise<Answer>,
  ): Promise<IdempotentResult<Answer>> {
    const [result] = await this.onceEach(tx, [call], async () => [await work()]);
    if (result instanceof Fault) throw result;
    return result;
  }

  /**
   * What a call was answered before, for one that does something before the transaction of `once`; null: nothing yet.
   * @throws Fault those of `once`
   */
  async before<Answer extends object>(
    tx: Tx,
    call: IdempotentCall,
  ): Promise<IdempotentResult<Answer> | null> {
    const result = (await this.settledBefore<Answer>(tx, [call])).get(0);
    if (result instanceof Fault) throw result;
    return result ?? null;
  }

  /**
   * The same for calls that share a transaction: each has its own result, or the fault that it met.
   * A key that comes twice among them is done once, and the later ones are answered as retries that
   * came right after the commit: nobody hears of any of them before it.
   * @param work does the calls with these indexes, and answers them in the same order
   */
  async onceEach<Answer extends object>(
    tx: Tx,
    calls: readonly IdempotentCall[],
    work: (callIndexes: readonly number[]) => Promise<readonly Answer[]>,
  ): Promise<(IdempotentResult<Answer> | Fault)[]> {
    const settled = await this.settledBefore<Answer>(tx, calls);
    const open = [...calls.keys()].filter((callIndex) => !settled.has(callIndex));
    const firsts = firstWithSameKey(calls);
    const callIndexes = open.filter((callIndex) => firsts[callIndex] === callIndex);
    const answers = callIndexes.length > 0 ? await work(callIndexes) : [];
    await this.keep(
      tx,
      callIndexes.map((callIndex, index) => ({ call: calls[callIndex], answer: answers[index] })),
    );
    const done = new Map(callIndexes.map((callIndex, index) => [callIndex, answers[index]]));
    for (const callIndex of open) {
      const first = firsts[callIndex];
      settled.set(callIndex, resultOf(calls[callIndex], calls[first], done.get(first)!));
    }
    return calls.map((_, callIndex) => settled.get(callIndex)!);
  }

  /** What need not be done: it was done before, is being done by another, or may not be done. */
  private async settledBefore<Answer extends object>(
    tx: Tx,
    calls: readonly IdempotentCall[],
  ): Promise<Map<number, IdempotentResult<Answer> | Fault>> {
    const settled = new Map<number, IdempotentResult<Answer> | Fault>();
    const keyed = calls.flatMap(({ idempotencyKey, ...call }, callIndex) =>
      idempotencyKey ? [{ ...call, callIndex, ...idempotencyKey }] : [],
    );
    if (keyed.length === 0) return settled;
    const locked = await this.lock(tx, keyed);
    const kept = await this.find(
      tx,
      keyed.filter(({ callIndex }) => locked.has(callIndex)),
    );
    for (const call of keyed) {
      const { callIndex } = call;
      const before = kept.get(callIndex);
      if (!locked.has(callIndex)) {
        settled.set(callIndex, new Fault('idempotency_in_flight', { retryAfterSeconds: 1 }));
      } else if (before && !this.isSameBody(call, before)) {
        settled.set(callIndex, new Fault('idempotency_key_reused'));
      } else if (before) {
        const answer = JSON.parse(this.keyring.open(before.answerSealed, PURPOSE)) as Answer;
        settled.set(callIndex, { answer, isReplayed: true });
      }
    }
    return settled;
  }

  private isSameBody({ content }: IdempotencyKey, { bodyHash }: KeptAnswer): boolean {
    return this.keyring.lookupHashes(content, BODY_PURPOSE).includes(bodyHash);
  }

  /**
   * The indexes of the calls whose key is ours until the transaction ends; it is only tried, so nobody waits for a
   * first request that is slow.
   */
  private async lock(tx: Tx, keyed: readonly KeyedCall[]): Promise<Set<number>> {
    const rows = await tx.query<{ name: string; locked: boolean }>(
      `SELECT name, pg_try_advisory_xact_lock(hashtextextended(name, 0)) AS locked
       FROM unnest($1::text[]) AS name`,
      [[...new Set(keyed.map(nameOf))]],
    );
    const locked = new Set(rows.filter((row) => row.locked).map(({ name }) => name));
    return new Set(
      keyed.filter((call) => locked.has(nameOf(call))).map(({ callIndex }) => callIndex),
    );
  }

  private async find(tx: Tx, keyed: readonly KeyedCall[]): Promise<Map<number, KeptAnswer>> {
    const calls = keyed.map(({ key, ...call }) => ({ ...call, idempotencyKey: key }));
    const kept = await this.answers.find(tx, calls);
    return new Map(
      keyed.flatMap(({ callIndex }, index) => {
        const answer = kept[index];
        return answer ? [[callIndex, answer] as const] : [];
      }),
    );
  }

  private async keep(
    tx: Tx,
    done: readonly { call: IdempotentCall; answer: object }[],
  ): Promise<void> {
    const answers = done.flatMap(({ call: { partnerId, operation, idempotencyKey }, answer }) =>
      idempotencyKey
        ? {
            partnerId,
            operation,
            idempotencyKey: idempotencyKey.key,
            bodyHash: this.keyring.lookupHash(idempotencyKey.content, BODY_PURPOSE),
            answerSealed: this.keyring.seal(JSON.stringify(answer), PURPOSE),
          }
        : [],
    );
    await this.answers.keep(tx, answers);
  }

  /**
   * Forgets the answers around a moment that are meant, before their day is over: a retry is then a
   * new request.
   * @returns how many there were
   */
  async forget(tx: Tx, about: ForgottenAnswers): Promise<number> {
    const kept = await this.answers.findAround(tx, about);
    const meant = kept.filter(({ answerSealed }) =>
      about.isMeant(JSON.parse(this.keyring.open(answerSealed, PURPOSE)) as object),
    );
    const keys = meant.map(({ idempotencyKey }) => idempotencyKey);
    return this.answers.remove(tx, about, keys);
  }

  @ScheduledTask('forget-idempotent-answers', CLEAN_UP_EVERY_MS)
  async forgetExpired(): Promise<void> {
    let forgotten: number;
    do {
      forgotten = await this.answers.removeExpired(ROWS_A_CHUNK);
    } while (forgotten === ROWS_A_CHUNK);
  }
}

/** What makes two calls the same: whose they are, which, and their key. */
function nameOf({
  partnerId,
  operation,
  key,
}: Pick<KeyedCall, 'partnerId' | 'operation' | 'key'>): string {
  return `${partnerId}\n${operation}\n${key}`;
}

/** For every call the index of the first one with the same key: its own, when it has no key. */
function firstWithSameKey(calls: readonly IdempotentCall[]): number[] {
  const first = new Map<string, number>();
  return calls.map(({ idempotencyKey, ...call }, callIndex) => {
    if (!idempotencyKey) return callIndex;
    const name = nameOf({ ...call, ...idempotencyKey });
    if (!first.has(name)) first.set(name, callIndex);
    return first.get(name)!;
  });
}

/** What a call is answered that was done just now, or whose key was used by one that was. */
function resultOf<Answer extends object>(
  call: IdempotentCall,
  done: IdempotentCall,
  answer: Answer,
): IdempotentResult<Answer> | Fault {
  if (call === done) return { answer, isReplayed: false };
  const isSame = call.idempotencyKey?.content === done.idempotencyKey?.content;
  return isSame ? { answer, isReplayed: true } : new Fault('idempotency_key_reused');
}
