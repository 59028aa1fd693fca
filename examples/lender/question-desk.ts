import { createHash } from 'node:crypto';
import { CompactSign } from 'jose';
import type { Database } from './database.ts';
import { FieldReader, isFields } from './fields.ts';
import type { Fields } from './fields.ts';
import type { LenderKeys } from './lender-keys.ts';
import type { MessageBox } from './message-box.ts';
import { ProtocolError } from './protocol-error.ts';
import { inSeconds, QUESTIONS } from './question.ts';
import type { Decide, Lender, Outcome, Question, QuestionPath } from './question.ts';
import type { World } from './world.ts';

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** The verdict follows later instead of in the answer. */
export interface Delay {
  readonly seconds: number;
  /** Whether a callback sends it; otherwise it waits for the next poll. */
  readonly isTold: boolean;
  /** Whether it is sent only after the lender's next message. */
  readonly isOvertaken: boolean;
}

interface QuestionRow {
  lender: string;
  key: string;
  call: QuestionPath;
  body_hash: string;
  body: string;
  asked_at: string;
  times_asked: number;
  verdict: string | null;
  told_from: string | null;
}

const LONGEST_WAIT_S = 21_600;
const APPLICANT_WAIT_S = 2;
/** Long enough that a callback precedes the next poll. */
const DELAYED_WAIT_S = 300;
const AT_ONCE = 100;

export interface DeskParts {
  readonly database: Database;
  readonly lenders: ReadonlyMap<string, Lender>;
  readonly keys: LenderKeys;
  readonly messages: MessageBox;
  readonly decisions: Readonly<Record<QuestionPath, Decide>>;
  readonly world: World;
}

/**
 * Accepts questions. A verdict is decided once and stored in the same transaction. The same key always gets the same
 * verdict, also after a restart.
 */
export class QuestionDesk {
  readonly #parts: DeskParts;

  constructor(parts: DeskParts) {
    this.#parts = parts;
  }

  /** @throws ProtocolError for an invalid call */
  async answer(
    lender: Lender,
    call: QuestionPath,
    key: string | undefined,
    raw: Buffer,
    delay: Delay | null = null,
  ): Promise<Answer> {
    const fields = parse(raw);
    if (!key || fields['questionId'] !== key) {
      throw new ProtocolError(400, 'invalid_request', 'Idempotency-Key is not the questionId.');
    }
    new FieldReader(fields).reference('questionId');
    const signature = await this.#signKeyFacts(lender, call, fields);
    const hash = createHash('sha256').update(raw).digest('hex');
    return this.#parts.database.transaction(() => {
      const row = this.#take(lender, call, key, raw.toString('utf8'), hash);
      return this.#reply(row, signature, delay);
    });
  }

  /** Decides due questions and sends their verdicts. */
  async settleDue(): Promise<void> {
    const now = this.#parts.world.now().toISOString();
    const due = this.#parts.database.all<QuestionRow>(
      'SELECT * FROM questions WHERE verdict IS NULL AND due_at <= ? LIMIT ?',
      [now, AT_ONCE],
    );
    for (const row of due) {
      const lender = this.#parts.lenders.get(row.lender);
      if (!lender) continue;
      const fields = parse(Buffer.from(row.body));
      const signature = await this.#signKeyFacts(lender, row.call, fields);
      this.#parts.database.transaction(() => this.#settle(row, signature));
    }
  }

  #settle(stale: QuestionRow, signature: string): void {
    const row = this.#find(stale.lender, stale.key);
    // A poll may have sent the answer meanwhile.
    if (!row || row.verdict !== null) return;
    const { status, body } = this.#reply(row, signature, null);
    if (status === 200) this.#tell(row, body, this.#parts.world.now(), false);
  }

  #take(lender: Lender, call: QuestionPath, key: string, body: string, hash: string): QuestionRow {
    const { database, world } = this.#parts;
    const now = world.now().toISOString();
    const known = this.#find(lender.code, key);
    if (known && (known.call !== call || known.body_hash !== hash)) {
      throw new ProtocolError(409, 'key_reused', 'This key was used for another question.');
    }
    database.run(
      `INSERT INTO questions (lender, key, call, body_hash, body, asked_at) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (lender, key) DO UPDATE SET times_asked = times_asked + 1,
       body = CASE WHEN verdict IS NULL THEN excluded.body ELSE body END`,
      [lender.code, key, call, hash, body, now],
    );
    return this.#find(lender.code, key) as QuestionRow;
  }

  #reply(row: QuestionRow, keyFactsSignature: string, delay: Delay | null): Answer {
    const now = this.#parts.world.now();
    if (row.verdict !== null) {
      const toldFrom = new Date(row.told_from ?? now);
      if (toldFrom <= now) return { status: 200, body: row.verdict };
      return wait(Math.ceil((toldFrom.getTime() - now.getTime()) / 1000), 'LENDER');
    }
    const lender = this.#parts.lenders.get(row.lender) as Lender;
    const question: Question = {
      lender,
      key: row.key,
      body: new FieldReader(parse(Buffer.from(row.body))),
      askedAt: new Date(row.asked_at),
      timesAsked: row.times_asked,
      keyFactsSignature,
    };
    return this.#record(row, this.#parts.decisions[row.call](question), delay, now);
  }

  #record(row: QuestionRow, outcome: Outcome, delay: Delay | null, now: Date): Answer {
    if (outcome.kind === 'UNAVAILABLE') {
      const { body } = new ProtocolError(503, 'unavailable', 'Try again later.');
      return { status: 503, body: JSON.stringify(body) };
    }
    if (outcome.kind !== 'VERDICT') {
      const dueAt = outcome.kind === 'WAITS_FOR_LENDER' ? outcome.dueAt : null;
      this.#update(row, 'due_at = ?', dueAt?.toISOString() ?? null);
      if (!dueAt) return wait(APPLICANT_WAIT_S, 'APPLICANT');
      return wait(Math.ceil((dueAt.getTime() - now.getTime()) / 1000), 'LENDER');
    }
    const { world } = this.#parts;
    const body = JSON.stringify({ answerId: world.newId('ans'), ...outcome.verdict });
    // The question's body is personal data; repeating the verdict does not need it.
    this.#update(row, `body = '{}', verdict = ?`, body);
    if (!delay) return { status: 200, body };
    const toldFrom = inSeconds(now, delay.seconds);
    this.#update(row, 'told_from = ?', toldFrom.toISOString());
    if (!delay.isTold) return wait(delay.seconds, 'LENDER');
    this.#tell(row, body, toldFrom, delay.isOvertaken);
    return wait(DELAYED_WAIT_S, 'LENDER');
  }

  /** Sends the verdict of a question again, if there is one. */
  tellAgain(lender: Lender, key: string, times: number): void {
    const row = this.#find(lender.code, key);
    if (!row?.verdict) return;
    for (let time = 0; time < times; time += 1) {
      this.#tell(row, row.verdict, this.#parts.world.now(), false);
    }
  }

  #tell(row: QuestionRow, verdict: string, dueAt: Date, isHeld: boolean): void {
    const answer = JSON.parse(verdict) as { answerId: string };
    this.#parts.messages.queue({
      lender: row.lender,
      path: 'answers',
      id: answer.answerId,
      body: { questionId: row.key, question: QUESTIONS[row.call], answer },
      dueAt,
      isHeld,
    });
  }

  #find(lender: string, key: string): QuestionRow | undefined {
    const sql = 'SELECT * FROM questions WHERE lender = ? AND key = ?';
    return this.#parts.database.all<QuestionRow>(sql, [lender, key]).at(0);
  }

  #update({ lender, key }: QuestionRow, change: string, value: string | null): void {
    const sql = `UPDATE questions SET ${change} WHERE lender = ? AND key = ?`;
    this.#parts.database.run(sql, [value, lender, key]);
  }

  /** Signs before the transaction, since signing is asynchronous. */
  async #signKeyFacts(lender: Lender, call: QuestionPath, fields: Fields): Promise<string> {
    const hash = fields['keyFactsHash'];
    if (call !== 'selections' || typeof hash !== 'string') return '';
    const { alg, kid, privateKey } = this.#parts.keys.current(lender.code);
    const payload = new TextEncoder().encode(hash);
    return new CompactSign(payload).setProtectedHeader({ alg, kid }).sign(privateKey);
  }
}

function wait(seconds: number, waitingFor: 'APPLICANT' | 'LENDER'): Answer {
  const askAgainAfterSeconds = Math.min(Math.max(seconds, 1), LONGEST_WAIT_S);
  return { status: 202, body: JSON.stringify({ askAgainAfterSeconds, waitingFor }) };
}

function parse(raw: Buffer): Fields {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw));
  } catch {
    throw new ProtocolError(400, 'invalid_request', 'The body is not JSON in UTF-8.');
  }
  if (isFields(value)) return value;
  throw new ProtocolError(400, 'invalid_request', 'The body is not a JSON object.');
}
