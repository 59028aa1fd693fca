import type { Books } from './books.ts';
import { dayText, indianDay } from './cooling-off.ts';
import type { Database } from './database.ts';
import type { FieldReader } from './fields.ts';
import type { ProductTerms } from './lender-terms.ts';
import type { LoanStatus } from './loans.ts';
import type { MessageBox } from './message-box.ts';
import { offerDocument } from './offer-document.ts';
import { ProtocolError } from './protocol-error.ts';
import type { Lender } from './question.ts';
import { makeOffer } from './questions/offers.ts';

const EVENTS = ['REVERSED', 'EXITED', 'CLOSED', 'MANDATE_REVOKED', 'TRANSFERRED'] as const;
const REASONS = [
  'GOLD_APPRAISED',
  'RATE_CHANGED',
  'AMOUNT_CHANGED',
  'TERMS_CHANGED',
  'OTHER',
] as const;
const PAYOUTS_A_PAGE = 500;

interface PayoutRow {
  application_id: string;
  reference: string;
  amount: number;
  utr: string;
  paid_at: string;
}

/** Messages that the lender's operator triggers. */
export class Notices {
  readonly #books: Books;
  readonly #database: Database;
  readonly #messages: MessageBox;

  constructor(books: Books, database: Database, messages: MessageBox) {
    this.#books = books;
    this.#database = database;
    this.#messages = messages;
  }

  /** Records an event of a loan and sends it to Rinpath. */
  loanEvent(lender: Lender, order: FieldReader): object {
    const event = order.oneOf('event', EVENTS);
    const loan = this.#books.loans.find(lender, order.reference('loanReference'));
    if (!loan) throw new ProtocolError(404, 'not_found', 'There is no such loan.');
    const { world } = this.#books;
    const id = world.newId('event');
    const happenedAt = world.now().toISOString();
    const about = { applicationId: loan.applicationId, loanReference: loan.reference };
    const more = {
      ...(event === 'REVERSED' &&
        loan.payout && { amount: loan.payout.amount, utr: loan.payout.utr }),
      ...(order.has('amount') && { amount: order.amount('amount') }),
      ...(event === 'TRANSFERRED' && { transferredTo: order.text('transferredTo') }),
    };
    this.#database.transaction(() => {
      // Revoking the mandate does not end the loan.
      if (event !== 'MANDATE_REVOKED') {
        this.#books.loans.end(lender, loan.reference, event satisfies LoanStatus);
      }
      this.#queue(lender, 'loan-events', id, { id, ...about, event, happenedAt, ...more });
    });
    return { id };
  }

  /** A new offer under the same application: another rate, amount or weight of gold. */
  offerRevision(lender: Lender, order: FieldReader): object {
    const { applications, selections, world } = this.#books;
    const applicationId = order.reference('applicationId');
    const reason = order.oneOf('reason', REASONS);
    const chosen = selections.find(lender, applicationId);
    const before = chosen && applications.offer(lender, chosen.offerReference);
    if (!chosen || !before)
      throw new ProtocolError(404, 'not_found', 'This application has no choice.');
    const terms: ProductTerms = order.has('annualRatePercent')
      ? {
          ...before.terms,
          annualRatePercent: order.text('annualRatePercent', /^\d{1,2}(\.\d{1,2})?$/),
        }
      : before.terms;
    const principal = order.has('amount') ? order.amount('amount') : chosen.amount;
    const goldGrams = order.has('grams') ? order.text('grams') : before.goldGrams;
    const offer = makeOffer(this.#books, { terms, applicationId, principal, goldGrams });
    const document = offerDocument(lender, offer, principal);
    if (!document) throw new ProtocolError(400, 'invalid_request', 'The fees exceed the amount.');
    const id = world.newId('revision');
    const { applicationReference } = chosen;
    const revisedAt = world.now().toISOString();
    const body = { id, applicationId, applicationReference, reason, revisedAt, offer: document };
    this.#database.transaction(() => {
      applications.addOffer(lender, offer);
      this.#queue(lender, 'offer-revisions', id, body);
    });
    return { id, offerReference: offer.reference };
  }

  /** One day's payouts, in pages. @param day in India, YYYY-MM-DD */
  statement(lender: Lender, day: string): object {
    const paid = this.#database
      .all<PayoutRow>(
        `SELECT application_id, reference, amount, utr, paid_at FROM loans
         WHERE lender = ? AND utr IS NOT NULL ORDER BY paid_at, reference`,
        [lender.code],
      )
      .filter((row) => dayText(indianDay(new Date(row.paid_at))) === day);
    const payoutTotal = paid.reduce((sum, { amount }) => sum + amount, 0);
    const pages = Math.max(Math.ceil(paid.length / PAYOUTS_A_PAGE), 1);
    const ids = Array.from({ length: pages }, () => this.#books.world.newId('statement'));
    this.#database.transaction(() => {
      for (const [at, id] of ids.entries()) {
        const rows = paid.slice(at * PAYOUTS_A_PAGE, (at + 1) * PAYOUTS_A_PAGE);
        const counts = { page: at + 1, pages, payoutCount: paid.length, payoutTotal };
        this.#queue(lender, 'statements', id, { id, day, ...counts, payouts: rows.map(payout) });
      }
    });
    return { ids, payoutCount: paid.length, payoutTotal };
  }

  #queue(
    lender: Lender,
    path: Parameters<MessageBox['queue']>[0]['path'],
    id: string,
    body: object,
  ) {
    const dueAt = this.#books.world.now();
    this.#messages.queue({ lender: lender.code, path, id, body, dueAt });
  }
}

function payout(row: PayoutRow): object {
  const { application_id: applicationId, reference: loanReference, paid_at: paidAt } = row;
  return { applicationId, loanReference, amount: row.amount, utr: row.utr, paidAt };
}
