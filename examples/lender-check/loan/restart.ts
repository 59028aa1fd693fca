import { setTimeout as sleep } from 'node:timers/promises';
import { NotRun } from '../case.ts';
import type { Callback } from '../wire/callback-receiver.ts';
import { describe, type Exchange } from '../wire/lender-client.ts';
import type { Asked, Fields, Question } from './asked.ts';
import type { Kit } from './kit.ts';

/** A question as sent, and its answer. */
export interface Sent {
  readonly question: Question;
  readonly exchange: Exchange;
}

/** What the lender must know after its restart; a `NotRun` gives the reason for a missing part. */
export interface BeforeRestart {
  /** A question of each kind that has a verdict. */
  readonly settled: readonly Asked[];
  readonly signed: Sent;
  /** A question with a 202. */
  readonly pending: Sent | NotRun;
  /** A lender's message that was not accepted. */
  readonly undelivered: Callback | NotRun;
}

const LOOK_AGAIN_MS = 100;

/** @throws NotRun when the lender cannot be restarted */
export async function prepareRestart(kit: Kit): Promise<BeforeRestart> {
  if (!kit.parts.restart) throw new NotRun('it needs --restart-command');
  await kit.story('main').offers();
  const settled = [...new Map(kit.settled.map((asked) => [asked.question.name, asked])).values()];
  // Accept no messages until the lender is back.
  kit.parts.receiver.isDown = true;
  const undelivered = await orReason(messageNotTaken(kit));
  const pending = await orReason(pendingPayout(kit, 'pending at a restart'));
  const question = kit.story('signed before a restart').offersQuestion();
  return { settled, undelivered, pending, signed: { question, exchange: await kit.ask(question) } };
}

/** @throws NotRun when it was not restarted; Error when it does not come back */
export async function restartLender(kit: Kit): Promise<void> {
  const { restart, receiver, waitSeconds } = kit.parts;
  await restart?.();
  const end = performance.now() + waitSeconds * 1000;
  let ping = await kit.loan('rinpath-ping');
  while (ping.status !== 200 && performance.now() < end) {
    await sleep(LOOK_AGAIN_MS);
    ping = await kit.loan('rinpath-ping');
  }
  if (ping.status !== 200) {
    throw new Error(`no answer to a ping ${waitSeconds} s after the restart: ${describe(ping)}`);
  }
  receiver.isDown = false;
}

/** @throws NotRun for a missing part */
export function triedBefore<Value>(value: Value | NotRun): Value {
  if (value instanceof NotRun) throw value;
  return value;
}

/** Most lenders answer a payout with 202 first. @throws NotRun */
async function pendingPayout(kit: Kit, name: string): Promise<Sent> {
  if (!kit.parts.pages.areDriven) throw new NotRun("it needs 'pages' in the profile");
  const story = kit.story(name);
  await story.ready();
  const question = await story.payoutQuestion();
  const exchange = await kit.ask(question);
  if (exchange.status === 202) return { question, exchange };
  throw new NotRun(`it needs 202 to DISBURSEMENTS; got: ${describe(exchange)}`);
}

/** @throws NotRun */
async function messageNotTaken(kit: Kit): Promise<Callback> {
  const { receiver, waitSeconds } = kit.parts;
  const isAnswer = ({ path }: Callback) => path === 'answers';
  if (!receiver.callbacks.some(isAnswer))
    throw new NotRun('the lender sent no answer as a callback');
  const { question } = await pendingPayout(kit, 'unsent at a restart');
  const isIt = (one: Callback) =>
    isAnswer(one) && (one.json as Fields | undefined)?.['questionId'] === question.id;
  await receiver.waitFor((all) => all.some(isIt), waitSeconds * 1000);
  const sent = receiver.callbacks.find(isIt);
  if (!sent) throw new NotRun('the lender did not send the payout’s status');
  return sent;
}

async function orReason<Value>(value: Promise<Value>): Promise<Value | NotRun> {
  return value.catch((error: unknown) => {
    if (error instanceof NotRun) return error;
    throw error;
  });
}
