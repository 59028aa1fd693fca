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

const PURPOSE = 'idempotent_answers.answer';
const BODY_PURPOSE = 'idempotent_answers.body_hash';
const CLEAN_UP_EVERY_MS = 600_000;
const ROWS_A_CHUNK = 5_000;

export interface IdempotentCall {
  readonly partnerId: string;
  /** The same under every path. */
  readonly operation: string;
  readonly idempotencyKey: IdempotencyKey | null;
}

export interface IdempotentResult<Answer> {
  readonly answer: Answer;
  readonly isReplayed: boolean;
}

export interface ForgottenAnswers extends CallsAround {
  readonly isMeant: (answer: object) => boolean;
}

/**
 * Answers a retry like its first request, for 24 hours. The answer is stored in the business
 * transaction, so it survives a crash after the commit.
 */
@Injectable()
export class Idempotency {
  static readonly KEPT_COLUMNS = IdempotentAnswersRepository.KEPT_COLUMNS;

  constructor(
    private readonly answers: IdempotentAnswersRepository,
    private readonly keyring: Keyring,
  ) {}

  /**
   * @throws Fault idempotency_key_reused for another body, idempotency_in_flight while the first
   * request runs on any replica
   */
  async once<Answer extends object>(
    tx: Tx,
    call: IdempotentCall,
    work: () => Promise<Answer>,
  ): Promise<IdempotentResult<Answer>> {
    const before = await this.before<Answer>(tx, call);
    if (before) return before;
    const answer = await work();
    await this.keep(tx, call, answer);
    return { answer, isReplayed: false };
  }

  /**
   * For work before the transaction of `once`; null when there is no earlier answer.
   * @throws Fault those of `once`
   */
  async before<Answer extends object>(
    tx: Tx,
    { idempotencyKey, ...scope }: IdempotentCall,
  ): Promise<IdempotentResult<Answer> | null> {
    if (!idempotencyKey) return null;
    const call = { ...scope, idempotencyKey: idempotencyKey.key };
    const isLocked = await this.lock(tx, call);
    if (!isLocked) throw new Fault('idempotency_in_flight', { retryAfterSeconds: 1 });
    const kept = await this.answers.find(tx, call);
    if (!kept) return null;
    if (!this.isSameBody(idempotencyKey, kept)) throw new Fault('idempotency_key_reused');
    const answer = JSON.parse(this.keyring.open(kept.answerSealed, PURPOSE)) as Answer;
    return { answer, isReplayed: true };
  }

  private isSameBody({ content }: IdempotencyKey, { bodyHash }: KeptAnswer): boolean {
    return this.keyring.lookupHashes(content, BODY_PURPOSE).includes(bodyHash);
  }

  /** Without waiting. */
  private async lock(
    tx: Tx,
    { partnerId, operation, idempotencyKey }: CallKey,
  ): Promise<boolean> {
    const [{ locked }] = await tx.query<{ locked: boolean }>(
      'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS locked',
      [`${partnerId}\n${operation}\n${idempotencyKey}`],
    );
    return locked;
  }

  private async keep(
    tx: Tx,
    { idempotencyKey, ...scope }: IdempotentCall,
    answer: object,
  ): Promise<void> {
    if (!idempotencyKey) return;
    await this.answers.keep(tx, {
      ...scope,
      idempotencyKey: idempotencyKey.key,
      bodyHash: this.keyring.lookupHash(idempotencyKey.content, BODY_PURPOSE),
      answerSealed: this.keyring.seal(JSON.stringify(answer), PURPOSE),
    });
  }

  /**
   * Forgets answers early, so that a retry is a new request.
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
