import { randomUUID } from 'node:crypto';
import { casesOf, NotRun } from '../case.ts';
import { type Asked, type Fields, need } from '../loan/asked.ts';
import type { Kit } from '../loan/kit.ts';
import type { Story } from '../loan/story.ts';
import { describe } from '../wire/lender-client.ts';
import { sameAgain } from './idempotency.ts';
import { expectNever, expectVerdict, verdictsAreAsWritten } from './verdicts.ts';

const REASONS = ['NOT_CHOSEN', 'ABANDONED', 'ENDED', 'CONSENT_WITHDRAWN', 'ERASURE'];
const DAY_MS = 86_400_000;
const LONG_AFTER_DAYS = 120;
const A_RUPEE = 100;

function withdraw(kit: Kit, story: Story, fields: Fields): Promise<Asked> {
  return kit.settle(story.question('WITHDRAWALS', fields));
}

/** Uses its own application, so that other cases continue. */
async function withdrawn(kit: Kit): Promise<Asked> {
  const story = kit.story('withdrawn');
  const { reference } = await story.offer();
  return withdraw(kit, story, { reason: 'NOT_CHOSEN', offerReference: reference });
}

async function paidLoan(kit: Kit): Promise<{ story: Story; paid: Fields; reference: string }> {
  const story = kit.story('main');
  const paid = need(await story.payout(), 'PAID');
  return { story, paid, reference: String(paid['loanReference']) };
}

async function leave(kit: Kit, reference: string, requestedAt: Date): Promise<Asked> {
  const fields = { loanReference: reference, requestedAt: requestedAt.toISOString() };
  return kit.settle(kit.story('main').question('COOLING_OFF_EXITS', fields));
}

export const WITHDRAWALS = casesOf('Withdrawals', [
  {
    id: 'RLP-140',
    title: 'The verdict on WITHDRAWALS matches the document',
    rule: 'NOTED.',
    phase: 'LAST',
    run: async (kit, check) => {
      await withdraw(kit, kit.story('withdrawn'), { reason: 'ABANDONED' });
      verdictsAreAsWritten(kit, check, 'WITHDRAWALS');
    },
  },
  {
    id: 'RLP-141',
    title: 'A withdrawal is noted, also twice',
    rule: 'The verdict is always NOTED, and the same for the same key.',
    run: async (kit, check) => {
      const asked = await withdrawn(kit);
      if (expectVerdict(check, asked, 'NOTED')) await sameAgain(kit, check, asked);
      expectVerdict(check, await withdrawn(kit), 'NOTED');
    },
  },
  {
    id: 'RLP-142',
    title: 'A withdrawal of an unknown application is noted',
    rule: 'The verdict is always NOTED, even for an unknown application.',
    run: async (kit, check) => {
      const unseen = kit.story('never seen');
      const fields = { reason: 'NOT_CHOSEN', offerReference: `no-${randomUUID()}` };
      expectVerdict(check, await withdraw(kit, unseen, fields), 'NOTED');
    },
  },
  {
    id: 'RLP-143',
    title: 'Every reason is noted',
    rule: 'NOT_CHOSEN, ABANDONED, ENDED, CONSENT_WITHDRAWN, ERASURE; an unknown word is OTHER.',
    run: async (kit, check) => {
      for (const reason of [...REASONS, 'ADDED_LATER']) {
        expectVerdict(
          check,
          await withdraw(kit, kit.story(`left: ${reason}`), { reason }),
          'NOTED',
        );
      }
    },
  },
  {
    id: 'RLP-144',
    title: 'The reason why an offer was not shown is noted',
    rule: 'OFFER_REFUSED with refusedOffers: the stated and the computed figure.',
    run: async (kit, check) => {
      const story = kit.story('refused offer');
      const { reference, apr } = await story.offer();
      const problem = { offerReference: reference, problem: 'APR', stated: apr, computed: '99.99' };
      const fields = { reason: 'OFFER_REFUSED', refusedOffers: [problem] };
      expectVerdict(check, await withdraw(kit, story, fields), 'NOTED');
    },
  },
  {
    id: 'RLP-145',
    title: 'A withdrawn offer is GONE',
    rule: 'After a withdrawal the offer can no longer be chosen.',
    run: async (kit, check) => {
      need(await withdrawn(kit), 'NOTED');
      const question = await kit.story('withdrawn').selectionQuestion();
      expectVerdict(check, await kit.settle(question), 'GONE');
    },
  },
  {
    id: 'RLP-146',
    title: 'An offer stays when another one was refused',
    rule: 'OFFER_REFUSED ends only the offers that it names.',
    run: async (kit, check) => {
      const story = kit.story('another offer refused');
      const { apr } = await story.offer();
      const problem = { problem: 'APR', stated: apr, computed: '99.99' };
      const refusedOffers = [{ offerReference: `other-${randomUUID()}`, ...problem }];
      need(await withdraw(kit, story, { reason: 'OFFER_REFUSED', refusedOffers }), 'NOTED');
      expectVerdict(check, await story.selection(), 'ACCEPTED');
    },
  },
]);

export const EXITS = casesOf('Cooling-off exits', [
  {
    id: 'RLP-150',
    title: 'The verdict on COOLING_OFF_EXITS matches the document',
    rule: 'OPENED with amount, until when and where to pay; EXITED; or REFUSED with a reason.',
    phase: 'LAST',
    run: async (kit, check) => {
      await leave(kit, `no-${randomUUID()}`, new Date());
      verdictsAreAsWritten(kit, check, 'COOLING_OFF_EXITS');
    },
  },
  {
    id: 'RLP-151',
    title: 'The borrower can exit without a penalty',
    rule: 'At most the principal and the proportionate APR, payable until a future time.',
    run: async (kit, check) => {
      const { story, paid, reference } = await paidLoan(kit);
      const { principal, apr, coolingOffDays } = await story.offer();
      if (coolingOffDays === 0) throw new NotRun('the offer has no cooling-off period');
      const asked = await leave(kit, reference, new Date());
      if (!expectVerdict(check, asked, 'OPENED', 'EXITED')) return;
      await sameAgain(kit, check, asked);
      const { verdict } = asked;
      if (verdict?.['verdict'] !== 'OPENED') return;
      const amount = Number(verdict['amount']);
      // One day more, so that midnight does not matter.
      const most = principal * (1 + Number(apr) / 36_500) + A_RUPEE;
      const bounds = `${String(paid['amount'])} to ${Math.floor(most)}`;
      check.that(amount >= Number(paid['amount']) && amount <= most, bounds, `${amount}`);
      const until = String(verdict['payUntil']);
      check.that(Date.parse(until) > Date.now(), 'payUntil ahead', until);
    },
  },
  {
    id: 'RLP-152',
    title: 'An unknown loan cannot be exited',
    rule: 'REFUSED with a reason: a business refusal is never an error.',
    run: async (kit, check) => {
      expectVerdict(check, await leave(kit, `no-${randomUUID()}`, new Date()), 'REFUSED');
    },
  },
  {
    id: 'RLP-153',
    title: 'After the period a loan cannot be exited',
    rule: 'requestedAt decides whether the period is over.',
    run: async (kit, check) => {
      const { paid, reference } = await paidLoan(kit);
      const paidAt = Date.parse(String(paid['paidAt']));
      const late = new Date(paidAt + LONG_AFTER_DAYS * DAY_MS);
      expectNever(check, (await leave(kit, reference, late)).last, 'OPENED', 'EXITED');
    },
  },
]);

export const LOANS = casesOf('Loans', [
  {
    id: 'RLP-160',
    title: 'The verdict on a loan matches the document',
    rule: 'FOUND with its status, or NOT_FOUND.',
    phase: 'LAST',
    run: async (kit, check) => {
      await kit.loan('rinpath-ping');
      verdictsAreAsWritten(kit, check, 'LOANS');
    },
  },
  {
    id: 'RLP-161',
    title: 'A loan that was paid out is found',
    rule: 'FOUND: its reference and current status; the outstanding principal is at most the loan.',
    run: async (kit, check) => {
      const { story, reference } = await paidLoan(kit);
      const { principal } = await story.offer();
      const exchange = await kit.loan(reference);
      const found = (exchange.json ?? {}) as Fields;
      if (!check.that(found['verdict'] === 'FOUND', 'FOUND', describe(exchange))) return;
      check.equal('loanReference', found['loanReference'], reference);
      const owed = Number(found['outstandingPrincipal'] ?? 0);
      check.that(owed <= principal, `outstandingPrincipal up to ${principal}`, `${owed}`);
    },
  },
  {
    id: 'RLP-162',
    title: 'An unknown loan is not found',
    rule: 'NOT_FOUND is a verdict, not 404.',
    run: async (kit, check) => {
      const exchange = await kit.loan(`no.such:loan_${randomUUID()}`);
      const word = (exchange.json as Fields | undefined)?.['verdict'];
      const holds = exchange.status === 200 && word === 'NOT_FOUND';
      check.that(holds, '200 NOT_FOUND', describe(exchange));
    },
  },
]);
