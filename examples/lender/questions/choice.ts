import type { Books } from '../books.ts';
import { offerDocument } from '../offer-document.ts';
import { type Outcome, type Question, verdict } from '../question.ts';
import { whyGone } from './offers.ts';

/** `POST /quotes`: the offer for another amount. It is not binding. */
export function decideQuote(books: Books, { lender, body }: Question): Outcome {
  const amount = body.amount('loanAmount');
  const offer = books.applications.offer(lender, body.reference('offerReference'));
  const reason = whyGone(offer, books.world.now(), amount);
  if (!offer || reason !== null) return verdict('GONE', { reason });
  const document = offerDocument(lender, offer, amount);
  if (!document) return verdict('GONE', { reason: 'AMOUNT_OUT_OF_RANGE' });
  return verdict('QUOTED', { offer: document });
}

/** `POST /selections`: the choice. An application has one reference for all its choices. */
export function decideSelection(books: Books, question: Question): Outcome {
  const { lender, body, key } = question;
  const applicationId = body.reference('applicationId');
  const offerReference = body.reference('offerReference');
  const amount = body.amount('loanAmount');
  const keyFactsHash = body.hash('keyFactsHash');
  const branchReference = body.has('branchReference') ? body.reference('branchReference') : null;
  const offer = books.applications.offer(lender, offerReference);
  const isTheirs = offer?.applicationId === applicationId;
  const reason = whyGone(isTheirs ? offer : null, books.world.now(), amount);
  if (reason !== null) return verdict('GONE', { reason });
  // After the payout there is no further choice.
  if (books.loans.ofApplication(lender, applicationId)) return verdict('GONE', { reason: 'OTHER' });
  const earlier = books.selections.find(lender, applicationId);
  const applicationReference = earlier?.applicationReference ?? books.world.newId('app');
  const selection = { applicationReference, offerReference, amount, keyFactsHash, branchReference };
  books.selections.add(lender, key, applicationId, selection);
  const { keyFactsSignature } = question;
  return verdict('ACCEPTED', { applicationReference, keyFactsSignature });
}
