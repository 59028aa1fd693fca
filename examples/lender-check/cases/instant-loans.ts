import { randomUUID } from 'node:crypto';
import { casesOf, NotRun } from '../case.ts';
import { need } from '../loan/asked.ts';
import type { Kit } from '../loan/kit.ts';
import { sumOfFees } from '../loan/loan-arithmetic.ts';
import type { Story } from '../loan/story.ts';
import { describe } from '../wire/lender-client.ts';
import { sameAgain } from './idempotency.ts';
import { expectNever, expectVerdict, verdictsAreAsWritten } from './verdicts.ts';

/** No payment gateway takes less, in paise. */
const LEAST_PAYMENT = 100;

function instant(kit: Kit, name: string, pan?: string): Story {
  const product = kit.profile.instant;
  if (!product) throw new NotRun('the profile names no instant product');
  return kit.story(name, product, pan);
}

export const INSTANT_LOANS = casesOf('Instant loans', [
  {
    id: 'RLP-130',
    title: 'The verdict on DECISIONS matches the document',
    rule: 'SANCTIONED with the loan’s reference, or DECLINED with a reason.',
    phase: 'LAST',
    run: async (kit, check) => {
      await instant(kit, 'instant').decision();
      verdictsAreAsWritten(kit, check, 'DECISIONS');
    },
  },
  {
    id: 'RLP-131',
    title: 'An instant loan is sanctioned',
    rule: 'SANCTIONED once its fee is paid.',
    run: async (kit, check) => {
      expectVerdict(check, await instant(kit, 'instant').decision(), 'SANCTIONED');
    },
  },
  {
    id: 'RLP-132',
    title: 'An instant loan is decided once',
    rule: 'The same key always gets the same verdict.',
    run: async (kit, check) => sameAgain(kit, check, await instant(kit, 'instant').decision()),
  },
  {
    id: 'RLP-133',
    title: 'An instant loan is declined with its reason',
    rule: 'DECLINED with a reason: a business refusal is never an error.',
    run: async (kit, check) => {
      const { declined } = kit.profile.pans;
      if (declined === undefined) throw new NotRun('the profile names no PAN that is declined');
      expectVerdict(check, await instant(kit, 'instant declined', declined).offers(), 'DECLINED');
    },
  },
  {
    id: 'RLP-134',
    title: 'A sanctioned loan is known by its reference',
    rule: 'GET /loans/{reference} returns its status.',
    run: async (kit, check) => {
      const { loanReference } = need(await instant(kit, 'instant').decision(), 'SANCTIONED');
      const exchange = await kit.loan(String(loanReference));
      const word = (exchange.json as { verdict?: string } | undefined)?.verdict;
      check.that(word === 'FOUND', 'FOUND', describe(exchange));
    },
  },
  {
    id: 'RLP-135',
    title: 'The fees of an instant loan are paid before it',
    rule: 'An offer has the requested amount; its fees are due BEFORE_PAYOUT, at least ₹1 in total.',
    run: async (kit, check) => {
      const story = instant(kit, 'instant');
      if (!expectVerdict(check, await story.offers(), 'OFFERED')) return;
      const { principal, fees } = await story.offer();
      check.equal('principal', principal, story.loanAmount);
      check.each('due BEFORE_PAYOUT', fees, ({ name, due }) =>
        due === 'BEFORE_PAYOUT' ? null : `${name}: ${due}`,
      );
      const sum = sumOfFees(fees, 'AT_PAYOUT', 'BEFORE_PAYOUT', 'LATER');
      check.that(sum >= LEAST_PAYMENT, `at least ${LEAST_PAYMENT} paise of fees`, `${sum}`);
    },
  },
  {
    id: 'RLP-136',
    title: 'A loan without an offer is not sanctioned',
    rule: 'A decision is about the named offer, which belongs to the application.',
    run: async (kit, check) => {
      const story = instant(kit, 'instant, another’s offer');
      const { reference } = await instant(kit, 'instant').offer();
      need(await story.offers(), 'OFFERED');
      const foreign = await story.decisionQuestion({ offerReference: reference });
      expectNever(check, (await kit.settle(foreign)).last, 'SANCTIONED');
      const unknown = await story.decisionQuestion({ offerReference: `no-${randomUUID()}` });
      expectNever(check, (await kit.settle(unknown)).last, 'SANCTIONED');
    },
  },
  {
    id: 'RLP-137',
    title: 'A withdrawn instant loan is not sanctioned',
    rule: 'After a withdrawal the offer can no longer be chosen.',
    run: async (kit, check) => {
      const story = instant(kit, 'instant withdrawn');
      const { reference } = await story.offer();
      const fields = { reason: 'NOT_CHOSEN', offerReference: reference };
      const noted = await kit.settle(story.question('WITHDRAWALS', fields));
      if (!expectVerdict(check, noted, 'NOTED')) return;
      expectNever(check, (await story.decision()).last, 'SANCTIONED');
    },
  },
  {
    id: 'RLP-138',
    title: 'One application has one instant loan',
    rule: 'Another question for the same application gets the same loan, or DECLINED.',
    run: async (kit, check) => {
      const story = instant(kit, 'instant');
      const first = need(await story.decision(), 'SANCTIONED');
      const again = await kit.settle(await story.decisionQuestion());
      if (!expectVerdict(check, again, 'SANCTIONED', 'DECLINED')) return;
      const { verdict } = again;
      const isSanctioned = verdict?.['verdict'] === 'SANCTIONED';
      const { loanReference } = first;
      if (isSanctioned) check.equal('loanReference', verdict?.['loanReference'], loanReference);
    },
  },
]);
