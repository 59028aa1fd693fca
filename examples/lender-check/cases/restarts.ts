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
    rule: 'Keys, the hash of the body and verdicts are kept durably: the verdict again, 409 to another body.',
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
    title: 'After a restart a jti is still good once',
    rule: '401: a request’s jti is good once. It is kept durably, for as long as its signature is good.',
    phase: 'RESTART',
    run: async (kit, check) => {
      const { signed } = await kit.restarted();
      await replayRefused(kit, check, signed, 'a message from before the restart');
    },
  },
  {
    id: 'RLP-192',
    title: 'What was 202 before a restart has a verdict after it',
    rule: 'The same question is put again under the same key until there is a verdict.',
    phase: 'RESTART',
    run: async (kit, check) => {
      const { question, exchange } = triedBefore((await kit.restarted()).pending);
      const { last } = await kit.settle(question, exchange);
      check.that(last.status === 200, 'a verdict', describe(last));
    },
  },
  {
    id: 'RLP-193',
    title: 'What was not taken before a restart is told after it',
    rule: 'A message is told until it is answered 202, also by a lender that was restarted meanwhile.',
    phase: 'RESTART',
    run: async (kit, check) => {
      const before = triedBefore((await kit.restarted()).untold);
      const { receiver, waitSeconds } = kit.parts;
      const isTaken = (one: Callback) => one.key === before.key && one.treatment === 'RECEIPT';
      const isAgain = await receiver.waitFor((all) => all.some(isTaken), waitSeconds * 1000);
      const expected = `${before.key} told again within ${waitSeconds} s`;
      check.that(isAgain, expected, isAgain ? 'told again' : 'not told again');
    },
  },
]);
