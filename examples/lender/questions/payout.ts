import type { Books } from '../books.ts';
import { loanFigures } from '../loan-figures.ts';
import type { Payout } from '../loans.ts';
import { inSeconds, type Outcome, type Question, verdict } from '../question.ts';
import { reservedOutcome } from '../reserved-pans.ts';

const PAYOUT_S = 1;
const SLOW_PAYOUT_S = 30;

/** `POST /accounts`: the ends of reserved account numbers decide. */
export function decideAccount(books: Books, { lender, body }: Question): Outcome {
  const applicationId = body.reference('applicationId');
  const account = body.object('account');
  const number = account.text('number', /^\d{9,18}$/);
  account.text('ifsc', /^[A-Z]{4}0[A-Z0-9]{6}$/);
  account.text('holderName');
  account.oneOf('type', ['SAVINGS', 'CURRENT']);
  if (number.endsWith('9999')) return verdict('REFUSED_FOR_GOOD', { reason: 'ACCOUNT_FROZEN' });
  if (number.endsWith('0000')) return verdict('REFUSED', { reason: 'ACCOUNT_NOT_FOUND' });
  books.applications.takeAccount(lender, applicationId, number.slice(-4));
  return verdict('ACCEPTED');
}

/** `POST /disbursements`: pays out once per application. */
export function decideDisbursement(books: Books, question: Question): Outcome {
  const { lender, body, askedAt } = question;
  const { applications, loans, world } = books;
  const applicationId = body.reference('applicationId');
  const principal = body.amount('loanAmount');
  const amount = body.amount('netPayout');
  const paid = loans.ofApplication(lender, applicationId);
  if (paid?.payout) return paidOut(paid.reference, paid.payout);
  const application = applications.find(lender, applicationId);
  const reason = whyNotPaid(books, question, principal, amount);
  if (reason) return verdict('REFUSED', reason);
  const isSlow = reservedOutcome(application?.pan ?? '') === 'SLOW_DISBURSEMENT';
  const dueAt = inSeconds(askedAt, isSlow ? SLOW_PAYOUT_S : PAYOUT_S);
  if (dueAt > world.now()) return { kind: 'WAITS_FOR_LENDER', dueAt };
  const offerReference = body.reference('offerReference');
  const accountLastFour = application?.accountLastFour ?? '';
  const payout = { amount, accountLastFour };
  const loan = loans.open(lender, { applicationId, offerReference, principal }, payout);
  return paidOut(loan.reference, loan.payout as Payout);
}

function paidOut(loanReference: string, payout: Payout): Outcome {
  return verdict('PAID', { ...payout, loanReference });
}

/** The lender's checks before a payout. */
function whyNotPaid(
  books: Books,
  { lender, body }: Question,
  principal: number,
  amount: number,
): { reason: string; detail: string } | null {
  const offerReference = body.reference('offerReference');
  const applicationId = body.reference('applicationId');
  const offer = books.applications.offer(lender, offerReference);
  const chosen = books.selections.find(lender, applicationId);
  const isChosen =
    chosen?.offerReference === offerReference &&
    chosen.amount === principal &&
    chosen.keyFactsHash === body.hash('keyFactsHash');
  if (!offer || !isChosen) {
    return { reason: 'OTHER', detail: 'This offer, amount and statement were not chosen.' };
  }
  if (offer.isWithdrawn) {
    return { reason: 'CANCELLED_BY_BORROWER', detail: 'The application was withdrawn.' };
  }
  if (loanFigures(offer.terms, principal)?.netPayout !== amount) {
    return { reason: 'OTHER', detail: 'The offer pays out another amount.' };
  }
  if (!books.passedSteps.find(lender, offerReference, 'ESIGN')) {
    return { reason: 'DOCUMENTS_INCOMPLETE', detail: 'The agreement is not signed.' };
  }
  if (!books.applications.find(lender, applicationId)?.accountLastFour) {
    return { reason: 'DOCUMENTS_INCOMPLETE', detail: 'There is no account to pay to.' };
  }
  return null;
}
