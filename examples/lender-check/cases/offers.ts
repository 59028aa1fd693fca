import { casesOf, NotRun } from '../case.ts';
import type { Checks } from '../checks.ts';
import type { Kit } from '../loan/kit.ts';
import type { Offer } from '../loan/offer.ts';
import * as checks from '../loan/offer-check.ts';
import { expectVerdict, verdictsAreAsWritten } from './verdicts.ts';

/** Shares of the amount that need rounding of rupees and paise. */
const ODD_PARTS = [0.6173, 0.0897];
const RULE_COMPUTED = 'Offers that differ are not shown.';

/** Offers for the profile's amount, for two odd amounts, for gold, and for an instant loan. */
async function everyOffer(kit: Kit): Promise<readonly { offer: Offer; asked: number }[]> {
  const { loan, gold, instant } = kit.profile;
  const stories = [kit.story('main')];
  for (const part of ODD_PARTS) {
    const loanAmount = Math.floor(loan.loanAmount * part);
    stories.push(kit.story(`odd ${part}`, { ...loan, loanAmount }));
  }
  if (gold) stories.push(kit.story('gold', gold));
  if (instant) stories.push(kit.story('instant', instant));
  const asked = await Promise.all(stories.map((story) => story.offers()));
  const offers = asked.flatMap(({ verdict, question }) => {
    const made = (verdict?.['offers'] as Offer[] | undefined) ?? [];
    return made.map((offer) => ({ offer, asked: Number(question.fields['loanAmount']) }));
  });
  if (offers.length === 0) throw new NotRun('no offer matches the document');
  return offers;
}

async function each(kit: Kit, look: (offer: Offer, asked: number) => void): Promise<void> {
  for (const { offer, asked } of await everyOffer(kit)) look(offer, asked);
}

function goldStory(kit: Kit) {
  const { gold } = kit.profile;
  if (!gold) throw new NotRun('the profile names no product against gold');
  return kit.story('gold', gold);
}

async function declined(kit: Kit, check: Checks): Promise<void> {
  const { declined: pan } = kit.profile.pans;
  if (pan === undefined) throw new NotRun('the profile names no PAN that is declined');
  const asked = await kit.story('declined', kit.profile.loan, pan).offers();
  expectVerdict(check, asked, 'DECLINED');
}

export const OFFERS = casesOf('Offers', [
  {
    id: 'RLP-055',
    title: 'The verdict on OFFERS matches the document',
    rule: 'OFFERED with one to ten offers, or DECLINED with a reason.',
    phase: 'LAST',
    run: async (kit, check) => {
      await kit.story('main').offers();
      verdictsAreAsWritten(kit, check, 'OFFERS');
    },
  },
  {
    id: 'RLP-056',
    title: 'An offer is made',
    rule: 'The lender offers a loan to the profile’s applicant.',
    run: async (kit, check) => {
      expectVerdict(check, await kit.story('main').offers(), 'OFFERED');
    },
  },
  {
    id: 'RLP-057',
    title: 'The instalment is right to a rupee',
    rule: `P·i·(1+i)^n / ((1+i)^n − 1), rounded half up to the rupee. ${RULE_COMPUTED}`,
    run: (kit, check) => each(kit, (offer) => checks.checkInstalment(check, offer)),
  },
  {
    id: 'RLP-058',
    title: 'The APR is right to 0.01 points',
    rule: `Twelve times the monthly internal rate of return of payout and unrounded instalments. ${RULE_COMPUTED}`,
    run: (kit, check) => each(kit, (offer) => checks.checkApr(check, offer, new Date())),
  },
  {
    id: 'RLP-059',
    title: 'The net payout is right to the paisa',
    rule: `Principal less every fee that is due AT_PAYOUT. ${RULE_COMPUTED}`,
    run: (kit, check) => each(kit, (offer) => checks.checkNetPayout(check, offer)),
  },
  {
    id: 'RLP-060',
    title: 'An offer is valid for three working days',
    rule: 'validUntil is at least three working days ahead (RBI/2024-25/18). The suite does not know bank holidays.',
    run: (kit, check) => each(kit, (offer) => checks.checkValidity(check, offer, new Date())),
  },
  {
    id: 'RLP-061',
    title: 'The range of amounts is valid',
    rule: 'minimumAmount <= principal <= maximumAmount, and principal at most the requested amount.',
    run: (kit, check) => each(kit, (offer, asked) => checks.checkRange(check, offer, asked)),
  },
  {
    id: 'RLP-062',
    title: 'Fees are complete',
    rule: 'amount includes gst and matches percentOfPrincipal; dueOn if it is due LATER.',
    run: (kit, check) => each(kit, (offer) => checks.checkFees(check, offer)),
  },
  {
    id: 'RLP-063',
    title: 'A schedule adds up',
    rule: 'A dated schedule unless instalments are equal and a month apart; its principal is the loan’s.',
    run: (kit, check) => each(kit, (offer) => checks.checkSchedule(check, offer)),
  },
  {
    id: 'RLP-064',
    title: 'A floating rate is its benchmark and its spread',
    rule: 'FLOATING and HYBRID with benchmark, spread, reset.',
    run: (kit, check) => each(kit, (offer) => checks.checkRate(check, offer)),
  },
  {
    id: 'RLP-065',
    title: 'Two offers have two references',
    rule: 'Later questions name an offer only by its reference.',
    run: async (kit, check) => {
      const references = (await everyOffer(kit)).map(({ offer }) => offer.reference);
      const { size } = new Set(references);
      check.that(size === references.length, 'a reference each', references.join(', '));
    },
  },
  {
    id: 'RLP-066',
    title: 'Gold is valued, and the loan is within the ceilings',
    rule: 'value = weight × price; LTV at most 85 % up to ₹2.5 lakh, 80 % up to ₹5 lakh, 75 % above.',
    run: async (kit, check) => {
      const story = goldStory(kit);
      if (expectVerdict(check, await story.offers(), 'OFFERED')) {
        checks.checkGold(check, await story.offer());
      }
    },
  },
  {
    id: 'RLP-067',
    title: 'A refusal is a verdict with its reason',
    rule: 'DECLINED with a reason: a business refusal is never an error.',
    run: declined,
  },
  {
    id: 'RLP-068',
    title: 'A product that the lender does not serve is declined',
    rule: 'DECLINED: a business refusal is never an error.',
    run: async (kit, check) => {
      const product = { ...kit.profile.loan, productCode: 'LENDER_CHECK_NOT_SERVED' };
      expectVerdict(check, await kit.story('not served', product).offers(), 'DECLINED');
    },
  },
]);
