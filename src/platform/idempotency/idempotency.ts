import { Injectable } from '@nestjs/common';
import { Keyring } from '../crypto/keyring.js';
import type { Tx } from '../database/tx.js';
import { Fault } from '../errors/fault.js';
import {
  type CallKey,
  type CallsAround,
  IdempotentAnswersRepository,
  type KeptAnswer,
} from '../store/idempotent-answers.repository.js';
import { ScheduledTask } from '../work/scheduled-task.js';
import type { IdempotencyKey } from './idempotency-key.js';
import { IdempotentResult } from './idempotent-result.js';

const PURPOSE = 'idempotent_answers.answer';
const BODY_PURPOSE = 'idempotent_answers.body_hash';
const CLEAN_UP_EVERY_MS = 600_000;
const ROWS_A_CHUNK = 5_000;

interface IdempotentCall {
  readonly partnerId: string;
  readonly operation: string;
  readonly idempotencyKey: IdempotencyKey | null;
}

interface ForgottenAnswers extends CallsAround {
  readonly isMeant: (answer: object) => boolean;
}

/** With its index in the transaction. */
interface KeyedCall extends CallKey, Pick<IdempotencyKey, 'content'> {
  readonly callIndex: number;
}

/**
 * Repeats the first response for 24 hours. The business transaction stores it, so it survives a
 * crash.
 */
@Injectable()
export class Idempotency {
  static readonly KEPT_COLUMNS = IdempotentAnswersRepository.KEPT_COLUMNS;

  constructor(
    private readonly answers: IdempotentAnswersRepository,
    private readonly keyring: Keyring,
  ) {}

  /** @throws Fault idempotency_key_reused, idempotency_in_flight */
  async once<Answer extends object>(
    tx: Tx,
    call: IdempotentCall,
    work: () => Promise<Answer>,
  ): Promise<IdempotentResult<Answer>> {
    const [result] = await this.onceEach(tx, [call], async () => [await work()]);
    if (result instanceof Fault) throw result;
    return result;
  }

  /** For work before `once`; null without an earlier response. */
  async before<Answer extends object>(
    tx: Tx,
    call: IdempotentCall,
  ): Promise<IdempotentResult<Answer> | null> {
    const result = (await this.settledBefore<Answer>(tx, [call])).get(0);
    if (result instanceof Fault) throw result;
    return result ?? null;
  }

  /**
   * Repeated keys run once; later calls are replays.
   * @param work answers in the order of these indexes
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

  private async settledBefore<Answer extends object>(
    tx: Tx,
    calls: readonly IdempotentCall[],
  ): Promise<Map<number, IdempotentResult<Answer> | Fault>> {
    const settled = new Map<number, IdempotentResult<Answer> | Fault>();
    const keyed = calls.flatMap(({ idempotencyKey, ...call }, callIndex) =>
      idempotencyKey
        ? [
            {
              ...call,
              callIndex,
              idempotencyKey: idempotencyKey.key,
              content: idempotencyKey.content,
            },
          ]
        : [],
    );
    if (keyed.length === 0) return settled;
    const locked = await this.lock(tx, keyed);
    const ours = keyed.filter((call) => locked.has(nameOf(call)));
    const kept = await this.answers.find(tx, ours);
    for (const call of keyed) {
      const { callIndex } = call;
      const index = ours.indexOf(call);
      const before = kept[index];
      if (index < 0) {
        settled.set(callIndex, new Fault('idempotency_in_flight', { retryAfterSeconds: 1 }));
      } else if (before && !this.isSameBody(call, before)) {
        settled.set(callIndex, new Fault('idempotency_key_reused'));
      } else if (before) {
        const answer = JSON.parse(this.keyring.open(before.answerSealed, PURPOSE)) as Answer;
        settled.set(callIndex, new IdempotentResult(answer, true));
      }
    }
    return settled;
  }

  private isSameBody({ content }: KeyedCall, { bodyHash }: KeptAnswer): boolean {
    return this.keyring.lookupHashes(content, BODY_PURPOSE).includes(bodyHash);
  }

  private async lock(tx: Tx, keyed: readonly KeyedCall[]): Promise<Set<string>> {
    const rows = await tx.query<{ name: string; locked: boolean }>(
      `SELECT name, pg_try_advisory_xact_lock(hashtextextended(name, 0)) AS locked
       FROM unnest($1::text[]) AS name`,
      [[...new Set(keyed.map(nameOf))]],
    );
    return new Set(rows.filter((row) => row.locked).map(({ name }) => name));
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
   * A retry is then a new request.
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

function nameOf({ partnerId, operation, idempotencyKey }: CallKey): string {
  return `${partnerId}\n${operation}\n${idempotencyKey}`;
}

function firstWithSameKey(calls: readonly IdempotentCall[]): number[] {
  const first = new Map<string, number>();
  return calls.map(({ idempotencyKey, ...call }, callIndex) => {
    if (!idempotencyKey) return callIndex;
    const name = nameOf({ ...call, idempotencyKey: idempotencyKey.key });
    if (!first.has(name)) first.set(name, callIndex);
    return first.get(name)!;
  });
}

function resultOf<Answer extends object>(
  call: IdempotentCall,
  done: IdempotentCall,
  answer: Answer,
): IdempotentResult<Answer> | Fault {
  if (call === done) return new IdempotentResult(answer, false);
  const isSame = call.idempotencyKey?.content === done.idempotencyKey?.content;
  return isSame ? new IdempotentResult(answer, true) : new Fault('idempotency_key_reused');
}
