import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { compactVerify, decodeProtectedHeader } from 'jose';
import { casesOf, NotRun } from '../case.ts';
import type { Checks } from '../checks.ts';
import { type Asked, type Fields, need } from '../loan/asked.ts';
import type { Kit } from '../loan/kit.ts';
import type { Offer } from '../loan/offer.ts';
import * as checks from '../loan/offer-check.ts';
import { sameAgain, sideBySide } from './idempotency.ts';
import { expectVerdict, verdictsAreAsWritten } from './verdicts.ts';

const MARGIN_MS = 100;
const AT_ONCE = 4;

/** A lower amount within the offer, whose figures need rounding. */
async function otherAmount(kit: Kit): Promise<number> {
  const { minimumAmount, principal } = await kit.story('main').offer();
  const amount = Math.max(minimumAmount, Math.floor(principal * 0.7351));
  if (amount === principal) throw new NotRun('the offer is for one amount only');
  return amount;
}

async function quote(kit: Kit, amount: number, more: Fields = {}): Promise<Asked> {
  const story = kit.story('main');
  const { reference } = await story.offer();
  const fields = { offerReference: reference, loanAmount: amount, ...more };
  return kit.settle(story.question('QUOTES', fields));
}

async function quoted(kit: Kit): Promise<Offer> {
  return need(await quote(kit, await otherAmount(kit)), 'QUOTED')['offer'] as Offer;
}

async function selected(kit: Kit, more: Fields): Promise<Asked> {
  return kit.settle(await kit.story('gone').selectionQuestion(more));
}

async function gone(check: Checks, asked: Promise<Asked>): Promise<void> {
  expectVerdict(check, await asked, 'GONE');
}

async function checkKeyFactsSignature(kit: Kit, check: Checks): Promise<void> {
  const story = kit.story('main');
  const { keyFactsSignature } = need(await story.selection(), 'ACCEPTED');
  if (typeof keyFactsSignature !== 'string') {
    throw new NotRun('the lender does not sign the Key Facts Statement, which is optional');
  }
  try {
    const { kid = '' } = decodeProtectedHeader(keyFactsSignature);
    const key = await kit.parts.lenderKeys.find(kid);
    if (!check.that(key !== null, 'a key of the lender’s JWKS', kid)) return;
    if (!key) return;
    const { payload } = await compactVerify(keyFactsSignature, key);
    check.equal('payload', Buffer.from(payload).toString('utf8'), story.keyFactsHash);
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it is not valid';
    check.that(false, 'a valid compact JWS', why);
  }
}

export const QUOTES = casesOf('Quotes', [
  {
    id: 'RLP-070',
    title: 'The verdict on QUOTES matches the document',
    rule: 'QUOTED with the offer, or GONE with a reason.',
    phase: 'LAST',
    run: async (kit, check) => {
      await quoted(kit).catch(() => undefined);
      verdictsAreAsWritten(kit, check, 'QUOTES');
    },
  },
  {
    id: 'RLP-071',
    title: 'A quote is the offer for the other amount',
    rule: 'The whole offer for that amount, under the same reference.',
    run: async (kit, check) => {
      const amount = await otherAmount(kit);
      const asked = await quote(kit, amount);
      if (!expectVerdict(check, asked, 'QUOTED')) return;
      const offer = asked.verdict?.['offer'] as Offer;
      check.equal('principal', offer.principal, amount);
      check.equal('reference', offer.reference, (await kit.story('main').offer()).reference);
    },
  },
  {
    id: 'RLP-072',
    title: 'A quote’s figures are right',
    rule: 'Instalment to a rupee, APR to 0.01 point, net payout to the paisa.',
    run: async (kit, check) => {
      const offer = await quoted(kit);
      checks.checkInstalment(check, offer);
      checks.checkApr(check, offer, new Date());
      checks.checkNetPayout(check, offer);
    },
  },
  {
    id: 'RLP-073',
    title: 'A quote on an unknown offer is GONE',
    rule: 'GONE: the offer is not valid, or no longer.',
    run: async (kit, check) => {
      const { loanAmount } = kit.profile.loan;
      const fields = { offerReference: `unknown-${randomUUID()}`, loanAmount };
      await gone(check, kit.settle(kit.story('main').question('QUOTES', fields)));
    },
  },
  {
    id: 'RLP-074',
    title: 'A quote outside the range is GONE',
    rule: 'Amounts between minimumAmount and maximumAmount can be quoted and chosen.',
    run: async (kit, check) => {
      const { principal, maximumAmount = principal } = await kit.story('main').offer();
      await gone(check, quote(kit, maximumAmount + 100));
    },
  },
  {
    id: 'RLP-075',
    title: 'A quote has no effect',
    rule: 'A quote has no effect: afterwards the offer is accepted for its own amount.',
    run: async (kit, check) => {
      await quoted(kit);
      expectVerdict(check, await kit.story('main').selection(), 'ACCEPTED');
    },
  },
]);

export const SELECTIONS = casesOf('Selections', [
  {
    id: 'RLP-080',
    title: 'The verdict on SELECTIONS matches the document',
    rule: 'ACCEPTED with the lender’s reference of the application, or GONE with a reason.',
    phase: 'LAST',
    run: async (kit, check) => {
      await kit.story('main').selection();
      verdictsAreAsWritten(kit, check, 'SELECTIONS');
    },
  },
  {
    id: 'RLP-081',
    title: 'The choice is accepted',
    rule: 'ACCEPTED for an offer that is valid.',
    run: async (kit, check) => {
      expectVerdict(check, await kit.story('main').selection(), 'ACCEPTED');
    },
  },
  {
    id: 'RLP-082',
    title: 'The lender’s signature of the statement is valid',
    rule: 'keyFactsSignature: a compact JWS over the 64 characters of keyFactsHash, by a key of the lender.',
    run: checkKeyFactsSignature,
  },
  {
    id: 'RLP-083',
    title: 'A choice is made once',
    rule: 'The same key always gets the same verdict.',
    run: async (kit, check) => sameAgain(kit, check, await kit.story('main').selection()),
  },
  {
    id: 'RLP-084',
    title: 'A choice is made once, also in parallel',
    rule: 'One key, one application, one reference.',
    run: async (kit, check) => {
      const question = await kit.story('chosen in parallel').selectionQuestion();
      const asked = Array.from({ length: AT_ONCE }, () => kit.settle(question));
      const verdicts = await sideBySide(kit, asked);
      const texts = new Set(verdicts.map((verdict) => JSON.stringify(verdict)));
      check.that(texts.size === 1, 'one verdict', `${texts.size} verdicts to one question`);
    },
  },
  {
    id: 'RLP-085',
    title: 'An unknown offer is GONE',
    rule: 'GONE: the offer is not valid, or no longer.',
    run: (kit, check) => gone(check, selected(kit, { offerReference: `no-${randomUUID()}` })),
  },
  {
    id: 'RLP-086',
    title: 'An amount outside the range is GONE',
    rule: 'Amounts between minimumAmount and maximumAmount can be quoted and chosen.',
    run: async (kit, check) => {
      const { principal, maximumAmount = principal } = await kit.story('gone').offer();
      await gone(check, selected(kit, { loanAmount: maximumAmount + 100 }));
    },
  },
  {
    id: 'RLP-087',
    title: 'Another application’s offer is GONE',
    rule: 'An offer belongs to its application.',
    run: async (kit, check) => {
      const { reference } = await kit.story('main').offer();
      await gone(check, selected(kit, { offerReference: reference }));
    },
  },
  {
    id: 'RLP-088',
    title: 'An offer that has expired is GONE',
    rule: 'GONE with EXPIRED after validUntil.',
    run: async (kit, check) => {
      const { expiring } = kit.profile;
      if (!expiring) throw new NotRun('the profile names no product whose offers expire at once');
      const story = kit.story('expiring', expiring);
      const { validUntil } = await story.offer();
      const left = Date.parse(validUntil) - Date.now();
      if (left > kit.parts.waitSeconds * 1000)
        throw new NotRun(`the offer is valid to ${validUntil}`);
      await sleep(Math.max(0, left) + MARGIN_MS);
      expectVerdict(check, await story.selection(), 'GONE');
    },
  },
]);
