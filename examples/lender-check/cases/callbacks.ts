import { isDeepStrictEqual } from 'node:util';
import { casesOf, NotRun } from '../case.ts';
import type { Checks } from '../checks.ts';
import type { Fields } from '../loan/asked.ts';
import type { Kit } from '../loan/kit.ts';
import type { Offer } from '../loan/offer.ts';
import { checkApr, checkInstalment, checkNetPayout } from '../loan/offer-check.ts';
import type { Callback, Treatment } from '../wire/callback-receiver.ts';
import { claimText, headerOf } from '../wire/detached-jws.ts';
import { describe } from '../wire/lender-client.ts';
import { CALLBACK_SCHEMAS } from '../wire/messages.ts';

const TOLERANCE_S = 300;

function idOf({ path, json }: Callback): unknown {
  const body = (json ?? {}) as { id?: unknown; answer?: { answerId?: unknown } };
  return path === 'answers' ? body.answer?.answerId : body.id;
}

/** @throws NotRun: a lender that waits to be asked sends no callbacks */
async function callbacksOf(kit: Kit): Promise<readonly Callback[]> {
  const { receiver } = kit.parts;
  await kit.prompt();
  if (receiver.callbacks.length === 0) throw new NotRun('the lender sent no callback');
  return [...receiver.callbacks];
}

async function each(
  kit: Kit,
  check: Checks,
  what: string,
  problem: (callback: Callback) => string | null,
): Promise<void> {
  const callbacks = await callbacksOf(kit);
  check.each(what, callbacks, (callback) => {
    const found = problem(callback);
    return found === null ? null : `${callback.path}: ${found}`;
  });
}

/** A message that was not accepted, or whose 202 was unsigned, is sent again. */
async function toldAgain(kit: Kit, check: Checks, treatment: Treatment): Promise<void> {
  const callbacks = await callbacksOf(kit);
  const met = callbacks.find((callback) => callback.treatment === treatment);
  if (!met) throw new NotRun('too few messages were sent');
  const isAgain = (one: Callback) => one !== met && one.key === met.key;
  const { receiver, waitSeconds } = kit.parts;
  await receiver.waitFor((all) => all.some(isAgain), waitSeconds * 1000);
  const again = receiver.callbacks.find(isAgain);
  const expected = `${met.key} sent again within ${waitSeconds} s`;
  if (!check.that(again !== undefined, expected, again ? 'sent again' : 'sent once')) return;
  const jti = headerOf(met.signature)['jti'];
  if (jti === undefined) return;
  const isNew = again && headerOf(again.signature)['jti'] !== jti;
  check.that(isNew === true, 'under another jti', isNew ? 'another' : `the same ${claimText(jti)}`);
}

function verdictTo(kit: Kit, { json }: Callback): Fields | null {
  const { questionId } = (json ?? {}) as { questionId?: string };
  return kit.settled.find(({ question }) => question.id === questionId)?.verdict ?? null;
}

export const PENDING = casesOf('Not known yet', [
  {
    id: 'RLP-170',
    title: 'A 202 matches the document',
    rule: '202 names askAgainAfterSeconds, 1 to 21,600.',
    phase: 'LAST',
    run: async (kit, check) => {
      const pending = kit.client.exchanges.filter(({ status }) => status === 202);
      if (pending.length === 0) throw new NotRun('the lender answered everything at once');
      check.each('Pending of the document', pending, ({ json }) =>
        kit.parts.messages.problem('Pending', json),
      );
    },
  },
  {
    id: 'RLP-171',
    title: 'After 202 there is a verdict',
    rule: 'The question is repeated under the same key until there is a verdict.',
    run: async (kit, check) => {
      const { pending } = kit.profile.pans;
      if (pending !== undefined) await kit.story('pending', kit.profile.loan, pending).offers();
      const waited = kit.settled.filter(({ first }) => first.status === 202);
      if (waited.length === 0) throw new NotRun('no question got 202 and then a verdict');
      check.each('200 in the end', waited, ({ last }) =>
        last.status === 200 ? null : describe(last),
      );
    },
  },
]);

export const CALLBACKS = casesOf('Callbacks of the lender', [
  {
    id: 'RLP-175',
    title: 'Callbacks are signed by the lender',
    rule: 'Callbacks are signed with a key of the lender’s JWKS, over the exact bytes.',
    phase: 'LAST',
    run: (kit, check) =>
      each(kit, check, 'a valid signature', ({ signature }) =>
        signature.state === 'HOLDS' ? null : signature.state,
      ),
  },
  {
    id: 'RLP-176',
    title: 'A callback’s signature is for this call and time',
    rule: 'htm, htu, iat within 300 s.',
    phase: 'LAST',
    run: (kit, check) =>
      each(kit, check, 'htm, htu and iat', ({ signature, method, url, receivedAt }) => {
        const { htm, htu, iat } = headerOf(signature);
        if (htu !== undefined && htu !== url) return `htu ${claimText(htu)} at ${url}`;
        if (htm !== undefined && htm !== method) return `htm ${claimText(htm)}`;
        const off = Math.abs(receivedAt.getTime() / 1000 - Number(iat ?? 0));
        return iat === undefined || off <= TOLERANCE_S ? null : `iat ${claimText(iat)}`;
      }),
  },
  {
    id: 'RLP-177',
    title: 'Callbacks match the document',
    rule: 'The bodies of answers, offer-revisions, loan-events and statements.',
    phase: 'LAST',
    run: (kit, check) =>
      each(kit, check, 'as in the document', ({ path, json }) => {
        const schema = CALLBACK_SCHEMAS[path];
        return schema ? kit.parts.messages.problem(schema, json) : 'the address is unknown';
      }),
  },
  {
    id: 'RLP-178',
    title: 'A callback’s key is its id',
    rule: 'Idempotency-Key is the message’s id, of an answer its answerId; RLP-Version is 1.',
    phase: 'LAST',
    run: (kit, check) =>
      each(kit, check, 'the id as the key, version 1', (callback) => {
        if (callback.version !== '1') return `RLP-Version ${callback.version}`;
        const id = idOf(callback);
        return callback.key === id ? null : `key ${callback.key} for ${String(id)}`;
      }),
  },
  {
    id: 'RLP-179',
    title: 'A lender reports only on our questions',
    rule: 'A callback’s questionId and question are ours.',
    phase: 'LAST',
    run: (kit, check) =>
      each(kit, check, 'a question that Rinpath asked', ({ path, json }) => {
        if (path !== 'answers') return null;
        const { questionId = '', question } = json as { questionId?: string; question?: string };
        const asked = kit.asked.get(questionId);
        return asked?.name === question ? null : `${questionId} ${question}`;
      }),
  },
  {
    id: 'RLP-180',
    title: 'Callback and answer have the same verdict',
    rule: 'Verdict and answerId are the same, in any order and however late.',
    phase: 'LAST',
    run: (kit, check) =>
      each(kit, check, 'the verdict that was answered', (callback) => {
        const verdict = callback.path === 'answers' ? verdictTo(kit, callback) : null;
        const { answer } = callback.json as { answer?: unknown };
        if (verdict === null || isDeepStrictEqual(answer, verdict)) return null;
        return `sent ${JSON.stringify(answer)}, answered ${JSON.stringify(verdict)}`;
      }),
  },
  {
    id: 'RLP-181',
    title: 'A repeated message is the same',
    rule: 'Each message has an id; a repeat changes nothing.',
    phase: 'LAST',
    run: (kit, check) => {
      const first = new Map<unknown, Callback>();
      return each(kit, check, 'the same under the same key', (callback) => {
        const known = first.get(callback.key) ?? callback;
        first.set(callback.key, known);
        return isDeepStrictEqual(known.json, callback.json) ? null : `${callback.key} differs`;
      });
    },
  },
  {
    id: 'RLP-182',
    title: 'A message that was not accepted is sent again',
    rule: 'A message is sent until it gets 202: Rinpath may be down for a while.',
    phase: 'LAST',
    run: (kit, check) => toldAgain(kit, check, 'UNAVAILABLE'),
  },
  {
    id: 'RLP-183',
    title: 'A 202 without a signature does not count',
    rule: 'A badly signed response is unknown: the message is sent again.',
    phase: 'LAST',
    run: (kit, check) => toldAgain(kit, check, 'UNSIGNED_RECEIPT'),
  },
  {
    id: 'RLP-184',
    title: 'A day’s statement adds up',
    rule: 'payoutCount and payoutTotal are of the whole day.',
    phase: 'LAST',
    run: async (kit, check) => {
      const statements = (await callbacksOf(kit)).filter(({ path }) => path === 'statements');
      if (statements.length === 0) throw new NotRun('no statement was sent');
      check.each('count and total of a statement of one page', statements, ({ json }) => {
        const { pages, payouts, payoutCount, payoutTotal } = json as Statement;
        if (pages !== 1) return null;
        const total = payouts.reduce((sum, { amount }) => sum + amount, 0);
        const isIt = payouts.length === payoutCount && total === payoutTotal;
        return isIt
          ? null
          : `${payoutCount} of ${payoutTotal}, listed ${payouts.length} of ${total}`;
      });
    },
  },
  {
    id: 'RLP-185',
    title: 'A revised offer’s figures are right',
    rule: 'A new offer is computed again like the first: instalment, APR, net payout.',
    phase: 'LAST',
    run: checkRevisions,
  },
]);

async function checkRevisions(kit: Kit, check: Checks): Promise<void> {
  const revisions = (await callbacksOf(kit)).filter(({ path }) => path === 'offer-revisions');
  if (revisions.length === 0) throw new NotRun('no offer revision was sent');
  for (const { json, receivedAt } of revisions) {
    const problem = kit.parts.messages.problem('OfferRevisionsBody', json);
    if (problem !== null) throw new NotRun(`the revision does not match the document: ${problem}`);
    const { offer } = json as { offer: Offer };
    checkInstalment(check, offer);
    checkApr(check, offer, receivedAt);
    checkNetPayout(check, offer);
  }
}

interface Statement {
  readonly pages: number;
  readonly payoutCount: number;
  readonly payoutTotal: number;
  readonly payouts: readonly { readonly amount: number }[];
}
