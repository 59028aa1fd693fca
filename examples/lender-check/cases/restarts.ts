import { casesOf } from '../case.ts';
import { triedBefore } from '../loan/restart.ts';
import type { Callback } from '../wire/callback-receiver.ts';
import { describe } from '../wire/lender-client.ts';
import { reusedKey, sameAgain } from './idempotency.ts';
import { replayRefused } from './request-signatures.ts';

export const RESTARTS = casesOf('After a restart', [
  {
    id: 'RLP-190',
    title: 'After a restart every verdict is still the same',
    rule: 'Keys, body hashes and verdicts are durable: the same verdict, and 409 to another body.',
    phase: 'RESTART',
    run: async (kit, check) => {
      const { settled } = await kit.restarted();
      for (const asked of settled) await sameAgain(kit, check, asked);
      const offers = settled.find(({ question }) => question.name === 'OFFERS');
      if (offers) await reusedKey(kit, check, offers);
    },
  },
  {
    id: 'RLP-191',
    title: 'After a restart a used jti is still refused',
    rule: '401: a request’s jti is valid once. It is stored durably while its signature is valid.',
    phase: 'RESTART',
    run: async (kit, check) => {
      const { signed } = await kit.restarted();
      await replayRefused(kit, check, signed, 'a message from before the restart');
    },
  },
  {
    id: 'RLP-192',
    title: 'A question with 202 before a restart gets a verdict after it',
    rule: 'The question is repeated under the same key until there is a verdict.',
    phase: 'RESTART',
    run: async (kit, check) => {
      const { question, exchange } = triedBefore((await kit.restarted()).pending);
      const { last } = await kit.settle(question, exchange);
      check.that(last.status === 200, 'a verdict', describe(last));
    },
  },
  {
    id: 'RLP-193',
    title: 'A message not accepted before a restart is sent after it',
    rule: 'A message is sent until it gets 202, also after a restart of the lender.',
    phase: 'RESTART',
    run: async (kit, check) => {
      const before = triedBefore((await kit.restarted()).undelivered);
      const { receiver, waitSeconds } = kit.parts;
      const isTaken = (one: Callback) => one.key === before.key && one.treatment === 'RECEIPT';
      const isAgain = await receiver.waitFor((all) => all.some(isTaken), waitSeconds * 1000);
      const expected = `${before.key} sent again within ${waitSeconds} s`;
      check.that(isAgain, expected, isAgain ? 'sent again' : 'not sent again');
    },
  },
]);
