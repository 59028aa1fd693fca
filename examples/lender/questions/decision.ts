import type { StoredOffer } from '../applications.ts';
import type { Books } from '../books.ts';
import type { FieldReader } from '../fields.ts';
import { loanFigures } from '../loan-figures.ts';
import { inSeconds, type Outcome, type Question, verdict } from '../question.ts';
import { reservedOutcome } from '../reserved-pans.ts';
import { declined } from './offers.ts';
import { readApplication } from './read-application.ts';

const SLOW_DECISION_S = 10;
const FAILURES = 2;

/** `POST /decisions`: an instant loan whose fee is paid. An application has one loan. */
export function decideInstantLoan(books: Books, question: Question): Outcome {
  const { lender, body, askedAt, timesAsked } = question;
  const { applications, loans, world } = books;
  const application = readApplication(body);
  const principal = body.amount('loanAmount');
  const outcome = reservedOutcome(application.pan);
  if (outcome === 'LENDERS_FAIL_TWICE' && timesAsked <= FAILURES) return { kind: 'UNAVAILABLE' };
  const dueAt = inSeconds(askedAt, outcome === 'SLOW_LENDERS' ? SLOW_DECISION_S : 0);
  if (dueAt > world.now()) return { kind: 'WAITS_FOR_LENDER', dueAt };
  if (outcome === 'EVERY_LENDER_DECLINES' || outcome === 'DECISION_DECLINED') {
    return declined('POLICY');
  }
  if (!lender.products[application.product]) return declined('PRODUCT_NOT_SERVED');
  const { applicationId } = application;
  const known = loans.ofApplication(lender, applicationId);
  if (known) return sanctioned(known.reference);
  const offerReference = body.has('offerReference') ? body.reference('offerReference') : null;
  if (offerReference !== null) {
    const offer = applications.offer(lender, offerReference);
    const isTheirs = offer?.applicationId === applicationId && offer.principal === principal;
    const detail = whyNotBound(isTheirs ? offer : null, body);
    if (detail !== null) return verdict('DECLINED', { reason: 'OTHER', detail });
  }
  applications.open(lender, application);
  const loan = loans.open(lender, { applicationId, offerReference, principal }, null);
  return sanctioned(loan.reference);
}

function sanctioned(loanReference: string): Outcome {
  return verdict('SANCTIONED', { loanReference });
}

/** An offer binds its lender if its fee was paid while it was valid; null: it binds. */
function whyNotBound(offer: StoredOffer | null, body: FieldReader): string | null {
  if (!offer) return 'This offer was not made for this loan.';
  if (offer.isWithdrawn) return 'The offer was withdrawn.';
  if (!body.has('feePaid')) return 'No fee was paid.';
  const fee = body.object('feePaid');
  const fees = loanFigures(offer.terms, offer.principal)?.fees ?? [];
  const due = fees.reduce((sum, { amount }) => sum + amount, 0);
  if (fee.amount('amount') !== due) return 'The paid fee is not the offer’s.';
  const isInTime = new Date(fee.moment('paidAt')) <= new Date(offer.validUntil);
  return isInTime ? null : 'The fee was paid after the offer expired.';
}
