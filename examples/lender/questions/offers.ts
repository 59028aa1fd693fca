import type { StoredOffer } from '../applications.ts';
import type { Books } from '../books.ts';
import type { ProductTerms } from '../lender-terms.ts';
import { valueGold } from '../loan-figures.ts';
import { offerDocument } from '../offer-document.ts';
import { inSeconds, type Outcome, type Question, verdict } from '../question.ts';
import { reservedOutcome } from '../reserved-pans.ts';
import { type ReadApplication, readApplication } from './read-application.ts';

const SLOW_S = 10;
const NEVER_ASK_AGAIN_S = 5;
const FAILURES = 2;
const DAY_S = 86_400;

/** `POST /offers`: the lender's offers on its terms. */
export function decideOffers(books: Books, question: Question): Outcome {
  const { lender, askedAt } = question;
  const now = books.world.now();
  const application = readApplication(question.body);
  const outcome = reservedOutcome(application.pan);
  if (outcome === 'LENDERS_FAIL_TWICE' && question.timesAsked <= FAILURES) {
    return { kind: 'UNAVAILABLE' };
  }
  if (outcome === 'SLOW_LENDERS') {
    // The last lender never answers.
    if (lender.isLast)
      return { kind: 'WAITS_FOR_LENDER', dueAt: inSeconds(now, NEVER_ASK_AGAIN_S) };
    const dueAt = inSeconds(askedAt, SLOW_S);
    if (dueAt > now) return { kind: 'WAITS_FOR_LENDER', dueAt };
  }
  if (outcome === 'EVERY_LENDER_DECLINES') return declined('POLICY');
  if (outcome === 'ONE_OFFER' && lender.position !== 0) return declined('POLICY');
  books.applications.open(lender, application);
  books.applications.enquire(lender, application.applicationId);
  return offerOn(books, question, application);
}

function offerOn(
  books: Books,
  { lender, body }: Question,
  { applicationId, product, isInstant }: ReadApplication,
): Outcome {
  const served = lender.products[product];
  if (!served) return declined('PRODUCT_NOT_SERVED');
  const terms = isInstant ? { ...served, areFeesPaidFirst: true } : served;
  const asked = body.amount('loanAmount');
  const gold = terms.gold ? readGold(body, terms.gold.pricePerGram) : null;
  if (terms.gold && !gold) return declined('COLLATERAL');
  const principal = Math.min(asked, gold?.cap ?? asked);
  if (principal < terms.minimumAmount || principal > terms.maximumAmount) return declined('AMOUNT');
  const made = makeOffer(books, {
    terms,
    applicationId,
    principal,
    goldGrams: gold?.grams ?? null,
  });
  const document = offerDocument(lender, made, principal);
  // Fees that exceed a small loan, or are too small to be paid.
  if (!document) return declined('AMOUNT');
  books.applications.addOffer(lender, made);
  return verdict('OFFERED', { offers: [document] });
}

/** A new offer with its own reference, valid as long as the terms say. */
export function makeOffer(
  books: Books,
  facts: Pick<StoredOffer, 'applicationId' | 'principal' | 'goldGrams'> & { terms: ProductTerms },
): StoredOffer {
  const { world } = books;
  const validUntil = inSeconds(world.now(), facts.terms.offerValidDays * DAY_S).toISOString();
  return { ...facts, reference: world.newId('offer'), validUntil, isWithdrawn: false };
}

function readGold(
  body: Question['body'],
  pricePerGram: number,
): { grams: string; cap: number } | null {
  if (!body.has('gold')) return null;
  const grams = body.object('gold').text('grams');
  const valuation = valueGold(grams, pricePerGram);
  return valuation && { grams, cap: valuation.cap };
}

export function declined(reason: string): Outcome {
  return verdict('DECLINED', { reason });
}

/** Why an offer can no longer be chosen; null: it can. */
export function whyGone(offer: StoredOffer | null, now: Date, amount: number): string | null {
  if (!offer) return 'OTHER';
  if (offer.isWithdrawn) return 'WITHDRAWN';
  if (new Date(offer.validUntil) <= now) return 'EXPIRED';
  const isInRange = amount >= offer.terms.minimumAmount && amount <= offer.principal;
  return isInRange ? null : 'AMOUNT_OUT_OF_RANGE';
}
