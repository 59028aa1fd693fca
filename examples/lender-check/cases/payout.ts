import { casesOf, NotRun } from '../case.ts';
import type { Checks } from '../checks.ts';
import { type Fields, need } from '../loan/asked.ts';
import type { Kit } from '../loan/kit.ts';
import type { Story } from '../loan/story.ts';
import type { BankAccount } from '../profile.ts';
import { sameAgain, sideBySide } from './idempotency.ts';
import { expectNever, expectVerdict, verdictsAreAsWritten } from './verdicts.ts';

const AT_ONCE = 3;

/** A separate loan that is signed and not paid out; it needs no person. */
async function signed(kit: Kit, name: string): Promise<Story> {
  drivenPages(kit);
  const story = kit.story(name);
  await story.ready();
  return story;
}

function drivenPages(kit: Kit): void {
  if (kit.parts.pages.areDriven) return;
  throw new NotRun("it needs 'pages' in the profile");
}

/**
 * The loan is signed, so that only the account is missing: an unsigned payout is refused anyway.
 * @throws NotRun when the lender lets no applicant sign without an accepted account
 */
async function notPaidWithoutAccount(
  kit: Kit,
  check: Checks,
  name: string,
  refused?: BankAccount,
): Promise<void> {
  const story = kit.story(name);
  await story.pass('KYC');
  if (refused) need(await kit.settle(await story.accountQuestion(refused)), 'REFUSED');
  await story.pass('MANDATE');
  await story.pass('ESIGN');
  expectVerdict(check, await kit.settle(await story.payoutQuestion()), 'REFUSED');
}

async function refusedAfter(
  kit: Kit,
  check: Checks,
  story: Story,
  withdrawal: Fields,
): Promise<void> {
  const noted = await kit.settle(story.question('WITHDRAWALS', withdrawal));
  if (!expectVerdict(check, noted, 'NOTED')) return;
  expectVerdict(check, await kit.settle(await story.payoutQuestion()), 'REFUSED');
}

async function accountOf(
  kit: Kit,
  check: Checks,
  account: BankAccount | undefined,
  word: string,
): Promise<void> {
  if (!account) throw new NotRun('the profile has no account with this answer');
  const story = kit.story(`account ${word}`);
  expectVerdict(check, await kit.settle(await story.accountQuestion(account)), word);
}

export const ACCOUNTS = casesOf('Accounts', [
  {
    id: 'RLP-110',
    title: 'The verdict on ACCOUNTS matches the document',
    rule: 'ACCEPTED, REFUSED or REFUSED_FOR_GOOD with a reason.',
    phase: 'LAST',
    run: async (kit, check) => {
      await kit.story('account ACCEPTED').account();
      verdictsAreAsWritten(kit, check, 'ACCOUNTS');
    },
  },
  {
    id: 'RLP-111',
    title: 'An account is accepted',
    rule: 'ACCEPTED: the loan can be paid to it.',
    run: async (kit, check) => {
      expectVerdict(check, await kit.story('account ACCEPTED').account(), 'ACCEPTED');
    },
  },
  {
    id: 'RLP-112',
    title: 'An account is refused, and another one accepted',
    rule: 'REFUSED: another account may be accepted.',
    run: async (kit, check) => {
      await accountOf(kit, check, kit.profile.accounts.refused, 'REFUSED');
      const again = await kit.story('account REFUSED').account();
      expectVerdict(check, again, 'ACCEPTED');
    },
  },
  {
    id: 'RLP-113',
    title: 'An account is refused permanently',
    rule: 'REFUSED_FOR_GOOD: there is no loan.',
    run: (kit, check) =>
      accountOf(kit, check, kit.profile.accounts.refusedForGood, 'REFUSED_FOR_GOOD'),
  },
  {
    id: 'RLP-114',
    title: 'An account is checked once',
    rule: 'The same key always gets the same verdict.',
    run: async (kit, check) => sameAgain(kit, check, await kit.story('account ACCEPTED').account()),
  },
  {
    id: 'RLP-115',
    title: 'Without an accepted account nothing is paid out',
    rule: 'A payout goes to the accepted account; without one it is REFUSED.',
    run: async (kit, check) => {
      drivenPages(kit);
      await notPaidWithoutAccount(kit, check, 'paid without an account');
      const { refused } = kit.profile.accounts;
      if (refused) await notPaidWithoutAccount(kit, check, 'paid to a refused account', refused);
    },
  },
]);

export const DISBURSEMENTS = casesOf('Disbursements', [
  {
    id: 'RLP-120',
    title: 'The verdict on DISBURSEMENTS matches the document',
    rule: 'PAID with amount, UTR, time, loan reference and the account’s last digits, or REFUSED.',
    phase: 'LAST',
    run: async (kit, check) => {
      await kit.story('main').payout();
      verdictsAreAsWritten(kit, check, 'DISBURSEMENTS');
    },
  },
  {
    id: 'RLP-121',
    title: 'Nothing is paid out before the agreement is signed',
    rule: 'A payout comes after every step.',
    run: async (kit, check) => {
      const story = kit.story('unsigned');
      expectNever(check, (await kit.settle(await story.payoutQuestion())).last, 'PAID');
    },
  },
  {
    id: 'RLP-122',
    title: 'The agreed amount is paid out',
    rule: 'PAID: amount is netPayout, accountLastFour is from the accepted account.',
    run: async (kit, check) => {
      const story = kit.story('main');
      const asked = await story.payout();
      if (!expectVerdict(check, asked, 'PAID')) return;
      check.equal('amount', asked.verdict?.['amount'], (await story.offer()).netPayout);
      const ending = kit.profile.accounts.accepted.number.slice(-4);
      check.equal('accountLastFour', asked.verdict?.['accountLastFour'], ending);
    },
  },
  {
    id: 'RLP-123',
    title: 'One key pays once',
    rule: 'The first question requests the payout; a repeat asks for its status.',
    run: async (kit, check) => sameAgain(kit, check, await kit.story('main').payout()),
  },
  {
    id: 'RLP-124',
    title: 'One loan is paid out once',
    rule: 'Another question for the same loan pays nothing: the same UTR, or REFUSED.',
    run: async (kit, check) => {
      const story = kit.story('main');
      const paid = need(await story.payout(), 'PAID');
      const again = await kit.settle(await story.payoutQuestion());
      if (!expectVerdict(check, again, 'PAID', 'REFUSED')) return;
      const { verdict } = again;
      const isPaid = verdict?.['verdict'] === 'PAID';
      if (isPaid) check.equal('utr', verdict?.['utr'], paid['utr']);
    },
  },
  {
    id: 'RLP-125',
    title: 'Parallel questions pay a loan out once',
    rule: 'One key pays once.',
    run: async (kit, check) => {
      const story = await signed(kit, 'paid in parallel');
      const question = await story.payoutQuestion();
      const asked = Array.from({ length: AT_ONCE }, () => kit.settle(question));
      const verdicts = await sideBySide(kit, asked);
      const transfers = new Set(verdicts.map(({ utr }) => String(utr)));
      check.that(transfers.size === 1, 'one UTR', [...transfers].join(', '));
    },
  },
  {
    id: 'RLP-126',
    title: 'An amount other than the agreed one is not paid out',
    rule: 'The amount must be netPayout.',
    run: async (kit, check) => {
      const story = await signed(kit, 'paid too much');
      const { netPayout } = await story.offer();
      const question = await story.payoutQuestion({ netPayout: netPayout + 10_000 });
      expectNever(check, (await kit.settle(question)).last, 'PAID');
    },
  },
  {
    id: 'RLP-127',
    title: 'A payout on another statement is refused',
    rule: 'keyFactsHash is that of the chosen statement.',
    run: async (kit, check) => {
      const story = await signed(kit, 'paid on another statement');
      const question = await story.payoutQuestion({ keyFactsHash: '0'.repeat(64) });
      expectNever(check, (await kit.settle(question)).last, 'PAID');
    },
  },
  {
    id: 'RLP-128',
    title: 'A withdrawn application is not paid out',
    rule: 'After a withdrawal a payout is REFUSED, even if the agreement is signed.',
    run: async (kit, check) => {
      const story = await signed(kit, 'paid after a withdrawal');
      await refusedAfter(kit, check, story, { reason: 'CONSENT_WITHDRAWN' });
    },
  },
  {
    id: 'RLP-129',
    title: 'An offer that was not chosen is not paid out',
    rule: 'After NOT_CHOSEN nothing is signed or paid out: a payout is REFUSED.',
    run: async (kit, check) => {
      const story = await signed(kit, 'paid after NOT_CHOSEN');
      const fields = { reason: 'NOT_CHOSEN', ...(await story.chosen()) };
      await refusedAfter(kit, check, story, fields);
    },
  },
]);
