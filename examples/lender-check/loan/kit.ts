import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Product, Profile } from '../profile.ts';
import type { CallbackReceiver } from '../wire/callback-receiver.ts';
import type { SigningKey } from '../wire/detached-jws.ts';
import type { Call, Exchange, LenderClient } from '../wire/lender-client.ts';
import type { LenderKeys } from '../wire/lender-keys.ts';
import { type Messages, QUESTIONS, type QuestionName } from '../wire/messages.ts';
import type { ApplicantPages } from './applicant-pages.ts';
import type { Asked, Asker, Fields, Question } from './asked.ts';
import { type BeforeRestart, prepareRestart, restartLender } from './restart.ts';
import { Story } from './story.ts';

export interface KitParts {
  readonly client: LenderClient;
  readonly messages: Messages;
  readonly receiver: CallbackReceiver;
  readonly ownKeys: readonly SigningKey[];
  readonly lenderKeys: LenderKeys;
  readonly profile: Profile;
  readonly pages: ApplicantPages;
  /** The longest wait for a verdict, a callback or a person. */
  readonly waitSeconds: number;
  readonly replayAfterSeconds: number;
  readonly restart: (() => Promise<void>) | null;
}

const LOOK_AGAIN_MS = 50;
const UNKNOWN_PAUSE_S = 1;
/** Time for the last callbacks after all questions. */
const LATE_MS = 3_000;
const INDIA_OFFSET_MS = 5.5 * 3_600_000;

/** The tools of the cases. Each question of a loan is sent once, and many cases use its answer. */
export class Kit implements Asker {
  readonly parts: KitParts;
  /** Every question that got a verdict. */
  readonly settled: Asked[] = [];
  readonly asked = new Map<string, Question>();
  readonly #stories = new Map<string, Story>();
  #prompted: Promise<void> | undefined;
  #restarted: Promise<BeforeRestart> | undefined;

  constructor(parts: KitParts) {
    this.parts = parts;
  }

  get client(): LenderClient {
    return this.parts.client;
  }

  get profile(): Profile {
    return this.parts.profile;
  }

  /** A separate loan application per name. */
  story(name: string, product: Product = this.profile.loan, pan?: string): Story {
    const known = this.#stories.get(name);
    if (known) return known;
    const story = new Story(this, product, pan);
    this.#stories.set(name, story);
    return story;
  }

  question(name: QuestionName, fields: Fields, id = `qst_${randomUUID()}`): Question {
    const whole = { questionId: id, ...fields };
    return { name, id, fields: whole, bytes: Buffer.from(JSON.stringify(whole)) };
  }

  /** Sends the question once. */
  async ask(question: Question, more: Partial<Call> = {}): Promise<Exchange> {
    const { name, id, bytes } = question;
    this.asked.set(id, question);
    return this.client.send({ name, path: QUESTIONS[name].path, body: bytes, key: id, ...more });
  }

  /**
   * Repeats the question at the lender's interval until there is a verdict.
   * @param begun the answer to an earlier request
   */
  async settle(question: Question, begun?: Exchange): Promise<Asked> {
    const end = performance.now() + this.parts.waitSeconds * 1000;
    const first = begun ?? (await this.ask(question));
    let last = first;
    while (isOpen(last) && performance.now() < end) {
      await this.#pause(question.id, last, end);
      last = await this.ask(question);
    }
    const verdict = this.verdict(question.name, last);
    const asked = { question, first, last, verdict };
    if (verdict) this.settled.push(asked);
    return asked;
  }

  /** Null without a verdict, or when it does not match the document. */
  verdict(name: QuestionName, { status, json }: Exchange): Fields | null {
    if (status !== 200) return null;
    const problem = this.parts.messages.problem(QUESTIONS[name].schema, json);
    return problem === null ? (json as Fields) : null;
  }

  /** Asks the lender about a loan. `rinpath-ping` only tests the connection. */
  async loan(reference: string, more: Partial<Call> = {}): Promise<Exchange> {
    const path = `/loans/${reference}`;
    return this.client.send({ name: 'LOANS', method: 'GET', path, ...more });
  }

  /** Makes the test environment send its own messages, and waits for them; only the first call sends. */
  prompt(): Promise<void> {
    this.#prompted ??= this.#sendPrompts();
    return this.#prompted;
  }

  /** Restarts the lender on the first call only. @throws NotRun */
  restarted(): Promise<BeforeRestart> {
    this.#restarted ??= this.#restart();
    return this.#restarted;
  }

  async #restart(): Promise<BeforeRestart> {
    const before = await prepareRestart(this);
    await restartLender(this);
    return before;
  }

  async #sendPrompts(): Promise<void> {
    const { prompts } = this.profile;
    if (prompts.length > 0) await this.#post(prompts);
    const { receiver } = this.parts;
    const { length } = receiver.callbacks;
    const isExpected =
      prompts.length > 0 || this.client.exchanges.some(({ status }) => status === 202);
    const most = length + prompts.length;
    await receiver.waitFor((all) => all.length > 0 && all.length >= most, isExpected ? LATE_MS : 0);
  }

  async #post(prompts: Profile['prompts']): Promise<void> {
    const { applicationId, payout } = await this.story('main').references();
    const today = new Date(Date.now() + INDIA_OFFSET_MS).toISOString().slice(0, 10);
    const values = { today, applicationId, loanReference: payout };
    for (const { url, body } of prompts) {
      const text = JSON.stringify(body).replaceAll(
        /\{(today|applicationId|loanReference)\}/g,
        (_whole, name: keyof typeof values) => values[name],
      );
      const headers = { 'content-type': 'application/json' };
      // On failure the message is missing, which its cases report.
      await fetch(url, { method: 'POST', headers, body: text }).catch(() => undefined);
    }
  }

  /** Waits until the next poll is allowed, or a callback arrives. */
  async #pause(questionId: string, exchange: Exchange, end: number): Promise<void> {
    const until = Math.min(end, performance.now() + secondsToWait(exchange) * 1000);
    const known = this.#callbacksOn(questionId);
    while (performance.now() < until && this.#callbacksOn(questionId) === known) {
      await sleep(LOOK_AGAIN_MS);
    }
  }

  #callbacksOn(questionId: string): number {
    const isAbout = ({ json }: { json: unknown }) =>
      (json as Fields | undefined)?.['questionId'] === questionId;
    return this.parts.receiver.callbacks.filter(isAbout).length;
  }
}

/** Whether the question must be repeated: neither a verdict nor a refusal. */
function isOpen({ status }: Exchange): boolean {
  return status === 202 || status === 0 || status === 429 || status >= 500;
}

function secondsToWait({ status, json, headers }: Exchange): number {
  const named = status === 202 ? (json as Fields | undefined)?.['askAgainAfterSeconds'] : undefined;
  const seconds = Number(named ?? headers.get('retry-after') ?? UNKNOWN_PAUSE_S);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : UNKNOWN_PAUSE_S;
}
