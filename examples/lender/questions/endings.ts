import type { Books } from '../books.ts';
import type { Database } from '../database.ts';
import { coolingOffExit, dayText, indianDay } from '../cooling-off.ts';
import type { Loan } from '../loans.ts';
import { loanFigures } from '../loan-figures.ts';
import { type Lender, type Outcome, type Question, verdict } from '../question.ts';

/** `POST /withdrawals`: always `NOTED`, also for an unknown application. */
export function decideWithdrawal(books: Books, database: Database, question: Question): Outcome {
  const { lender, body, key } = question;
  const applicationId = body.reference('applicationId');
  const reason = body.text('reason', /^[A-Z_]{1,64}$/);
  const refused = body.has('refusedOffers') ? body.list('refusedOffers') : null;
  const references = refused?.map((offer) => offer.reference('offerReference')) ?? null;
  database.run(
    `INSERT INTO withdrawals (lender, key, application_id, reason, refused_offers, noted_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
    [
      lender.code,
      key,
      applicationId,
      reason,
      refused && JSON.stringify(refused.map((offer) => offer.fields)),
      books.world.now().toISOString(),
    ],
  );
  const which = offersMeant(reason, references, body);
  books.applications.withdrawOffers(lender, applicationId, which);
  if (reason === 'ERASURE') books.applications.erase(lender, applicationId);
  return verdict('NOTED');
}

/** The withdrawn offers; null: all of the application. Other offers stay valid. */
function offersMeant(
  reason: string,
  refused: readonly string[] | null,
  body: Question['body'],
): readonly string[] | null {
  if (reason === 'OFFER_REFUSED') return refused ?? [];
  if (reason !== 'NOT_CHOSEN' || !body.has('offerReference')) return null;
  return [body.reference('offerReference')];
}

/** `POST /cooling-off-exits`: the price of exiting the loan, and where to pay it. */
export function decideExit(books: Books, { lender, body }: Question): Outcome {
  const loan = books.loans.find(lender, body.reference('loanReference'));
  const requestedAt = new Date(body.moment('requestedAt'));
  if (!loan?.payout) return verdict('REFUSED', { reason: 'NOT_PAID_OUT' });
  if (loan.status === 'EXITED') return verdict('EXITED', { exitedAt: loan.endedAt });
  if (loan.status !== 'ACTIVE') return verdict('REFUSED', { reason: 'ALREADY_CLOSED' });
  const offer = books.applications.offer(lender, loan.offerReference ?? '');
  const figures = offer && loanFigures(offer.terms, loan.principal);
  if (!offer || !figures) return verdict('REFUSED', { reason: 'OTHER' });
  const exit = coolingOffExit({
    netPayout: loan.payout.amount,
    apr: figures.apr,
    paidAt: new Date(loan.payout.paidAt),
    days: offer.terms.coolingOffDays,
    requestedAt,
  });
  if (!exit) return verdict('REFUSED', { reason: 'PERIOD_OVER' });
  return verdict('OPENED', { ...exit, payTo: accountOf(lender, loan) });
}

function accountOf(lender: Lender, loan: Loan): object {
  const bank = lender.code
    .toUpperCase()
    .replaceAll(/[^A-Z]/g, 'X')
    .padEnd(4, 'X')
    .slice(0, 4);
  const ifsc = `${bank}0000001`;
  const place = { kind: 'ACCOUNT', holderName: lender.name, number: '50200012345678', ifsc };
  return { ...place, paymentReference: loan.reference };
}

/** `GET /loans/{reference}`: the current state. */
export function describeLoan(books: Books, lender: Lender, reference: string): object {
  const answerId = books.world.newId('ans');
  const loan = books.loans.find(lender, reference);
  if (!loan) return { answerId, verdict: 'NOT_FOUND' };
  const { status, principal, payout } = loan;
  const asOf = books.world.now().toISOString();
  const found = { answerId, verdict: 'FOUND', loanReference: reference, status, asOf };
  if (status !== 'ACTIVE') return { ...found, outstandingPrincipal: 0 };
  if (!payout) return { ...found, outstandingPrincipal: principal };
  const offer = books.applications.offer(lender, loan.offerReference ?? '');
  const figures = offer && loanFigures(offer.terms, principal);
  const next = figures && { on: monthLater(payout.paidAt), amount: figures.instalment };
  return { ...found, outstandingPrincipal: principal, ...(next && { nextDue: next }) };
}

/** The same day of the next month in India, or its last one. */
function monthLater(paidAt: string): string {
  const [year = 0, month = 0, day = 0] = dayText(indianDay(new Date(paidAt)))
    .split('-')
    .map(Number);
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(day, lastDay))).toISOString().slice(0, 10);
}
