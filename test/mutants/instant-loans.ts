import type { Mutant } from './mutant.ts';

const PAYMENTS = 'test/e2e/instant-loans/payments.spec.ts';
const PAGES = 'test/e2e/instant-loans/pages.spec.ts';
const WHOLE_WAY = 'test/e2e/instant-loans/whole-way.spec.ts';
const OFFERS = 'test/e2e/instant-loans/offers.spec.ts';
const TO_PAYMENT = 'test/e2e/instant-loans/offer-to-payment.spec.ts';
const CHOSEN = 'test/e2e/instant-loans/chosen-offer.spec.ts';
const NEXT = 'test/e2e/instant-loans/next-offer.spec.ts';
const COMPARISON = 'test/e2e/instant-loans/comparison.spec.ts';
const SCREENS = 'src/instant-loans/applicant/instant-loan-pages.ts';
const VIEW = 'src/instant-loans/applicant/instant-loan-view.ts';
const CHOICES = 'src/instant-loans/offers/binding-choices.ts';
const NOTICES = 'src/instant-loans/fee/fee-notices.ts';
const FEES = 'src/instant-loans/fee/fee-payments.ts';
const TIMES = 'src/journeys/domain/pay-times.ts';

/** Instant loans: which offer is chosen and paid for, and what comes of it. */
export const INSTANT_LOANS: readonly Mutant[] = [
  {
    id: 'lender-is-not-asked-after-the-money',
    rule: 'Whether a paid application is sanctioned is asked of the lender',
    file: 'src/journeys/progress/state-entry.ts',
    find: 'await this.decision.ask(tx, journey);',
    replace: '',
    specs: [WHOLE_WAY],
  },
  {
    id: 'paid-is-sanctioned',
    rule: 'A paid application is sanctioned by its lender alone',
    file: 'src/journeys/domain/lead-status.ts',
    find: "DECISION_PENDING: 'PAYMENT_RECEIVED',",
    replace: "DECISION_PENDING: 'SANCTIONED',",
    specs: [PAYMENTS],
  },
  {
    id: 'paid-applications-expire',
    rule: 'Only an unpaid application expires',
    file: 'src/journey-steps/decision.ts',
    find: 'mayBeLeft: false,',
    replace: 'mayBeLeft: true,',
    specs: ['src/journeys/domain/transition-table.spec.ts'],
  },
  {
    id: 'return-of-the-browser-pays',
    rule: 'That the applicant is back proves nothing: the gateway is asked',
    file: FEES,
    find: 'if (fee?.orderId) await this.payments.askNow(fee.orderId);',
    replace: '',
    specs: [PAGES, 'test/e2e/payments/sandbox-page.spec.ts'],
  },
  {
    id: 'agreement-is-not-recorded',
    rule: 'Which statement was agreed to, and when, is recorded before the payment',
    file: SCREENS,
    find: 'await this.acknowledgements.record(tx, journey, offerId, given);',
    replace: '',
    specs: [PAGES, WHOLE_WAY],
  },
  {
    id: 'switched-off-lender-chosen',
    rule: 'A lender that is switched off is not chosen',
    file: CHOICES,
    find: 'if (isOpen && (await this.lenders.isPayable(lenderCode)))',
    replace: 'if (isOpen)',
    specs: [TO_PAYMENT],
  },
  {
    id: 'switched-off-lender-paid',
    rule: 'A lender that is switched off is not paid',
    file: SCREENS,
    find: 'const isLeft = choosable.some(({ id }) => id === selectedOfferId);',
    replace: 'const isLeft = choosable.length < 99;',
    specs: [TO_PAYMENT],
  },
  {
    id: 'fee-into-the-operators-account',
    rule: 'In production no fee of a lender goes into the operator’s account',
    file: 'src/payments/payment-gateways.ts',
    find: "return this.environment.mode !== 'production' || this.hasAccount(lenderCode);",
    replace: 'return this.hasAccount(lenderCode).then(() => true);',
    specs: ['test/e2e/payments/fee-accounts.isolated.spec.ts'],
  },
  {
    id: 'offer-outlived-by-its-payment',
    rule: 'An application ends with its offer',
    file: TIMES,
    find: 'Math.min(lastEnd(started).getTime(), validUntil.getTime())',
    replace: 'Math.max(lastEnd(started).getTime(), validUntil.getTime())',
    specs: [TO_PAYMENT],
  },
  {
    id: 'paid-after-the-offer',
    rule: 'A payment of an expired offer goes back before a lender is asked',
    file: NOTICES,
    find: 'paidAt > fee.expiresAt',
    replace: 'paidAt.getTime() < 0',
    specs: [TO_PAYMENT],
  },
  {
    id: 'each-press-orders',
    rule: 'However often the button is pressed, one payment is ordered',
    file: FEES,
    find: 'if (orderId === null) return this.firstOrder',
    replace: 'if (!fee.isTryFailed) return this.firstOrder',
    specs: [TO_PAYMENT, 'test/e2e/instant-loans/replicas.spec.ts'],
  },
  {
    id: 'broken-offer-is-not-flagged',
    rule: 'A lender that declines what was paid for its binding offer is put before the operator',
    file: 'src/journeys/progress/loan-decisions.ts',
    find: "await this.flags.raise(tx, waiting, 'OFFER_NOT_KEPT', answer, detail);",
    replace: '',
    specs: [WHOLE_WAY],
  },
  {
    id: 'not-asked-by-its-name',
    rule: 'Why a lender was not asked is recorded by its code, which no change of its name touches',
    file: SCREENS,
    find: 'notLending.map(({ code }) => code)',
    replace: 'notLending.map(({ name }) => name)',
    specs: [OFFERS],
  },
  {
    id: 'page-that-never-opens-is-checked',
    rule: 'An order without a page in time reads that no payment can be begun any more',
    file: SCREENS,
    find: 'orderId !== null && !(await this.payments.isUnopened(tx, orderId)),',
    replace: 'orderId !== null,',
    specs: [TO_PAYMENT],
  },
  {
    id: 'payment-begun-too-late',
    rule: 'No payment is ordered whose page would be open for longer than the offer is good',
    file: TIMES,
    find: 'end.getTime() - SHORTEST_PAGE_LIFE_MS',
    replace: 'end.getTime()',
    specs: [TO_PAYMENT],
  },
  {
    id: 'page-opened-too-late',
    rule: 'No page is opened that would be open for longer than its order',
    file: 'src/payments/order-processing.ts',
    find: "order.status === 'NEW' ? SHORTEST_PAGE_LIFE_MS : 0",
    replace: '0 * SHORTEST_PAGE_LIFE_MS',
    specs: ['test/e2e/payments/razorpay-orders.spec.ts'],
  },
  {
    id: 'page-after-the-deadline',
    rule: 'After its 72 hours an application cannot be paid any more',
    file: FEES,
    find: 'if (!fee || payUntil(fee) <= this.clock.now()) return null;',
    replace: 'if (!fee) return null;',
    specs: [PAGES],
  },
  {
    id: 'pay-unread',
    rule: 'Nothing is ordered before the applicant has said that the statement was read',
    file: SCREENS,
    find: "if (!hasRead && !standing.acknowledgement) return 'UNAGREED';",
    replace: '',
    specs: [PAGES],
  },
  {
    id: 'unread-offer-is-paid',
    rule: 'Of an instant loan no other offer is paid for than the one that the pressed page showed',
    file: SCREENS,
    find: "if (standing?.contentHash !== hash) return 'OTHER_CHOICE';",
    replace: 'if (!standing) throw new Error();',
    specs: [CHOSEN],
  },
  {
    id: 'unchosen-offer-is-paid',
    rule: 'Of several offers of an instant loan none is paid for that the applicant has not chosen',
    file: SCREENS,
    find: 'if (others.length > 0 || contentHash !== hash)',
    replace: 'if (contentHash !== hash)',
    specs: [COMPARISON],
  },
  {
    id: 'comparison-is-passed-over',
    rule: 'As long as none is chosen, the offers of an instant loan stand side by side',
    file: VIEW,
    find: "compared.filter(canChoose).length >= FEWEST ? 'TO_CHOOSE'",
    replace: "compared.filter(canChoose).length >= 99 ? 'TO_CHOOSE'",
    specs: [COMPARISON],
  },
  {
    id: 'page-of-an-earlier-choice-stays-open',
    rule: 'The payment page of an earlier choice is closed',
    file: 'src/journeys/progress/fee-step.ts',
    find: 'await this.fees.expireAllOf(tx, journey);',
    replace: '',
    specs: [NEXT],
  },
  {
    id: 'money-for-another-offer',
    rule: 'What is paid on the page of an earlier choice goes back, and is not for the later one',
    file: NOTICES,
    find: "journey.state === 'FEE_PENDING' && journey.redirectId === fee.redirectId;",
    replace: "journey.state === 'FEE_PENDING';",
    specs: [NEXT],
  },
  {
    id: 'other-offers-end-with-the-chosen-one',
    rule: 'When the chosen offer ends unpaid and others can be chosen, the applicant chooses again',
    file: CHOICES,
    find: 'if (others.some(({ id }) => id !== journey.selectedOfferId)) return this.release(tx, journey);',
    replace: '',
    specs: [NEXT],
  },
  {
    id: 'told-lender-is-chosen',
    rule: 'An offer whose lender was told that another was chosen cannot be chosen',
    file: CHOICES,
    find: ' && !told.has(lenderCode)',
    replace: '',
    specs: [CHOSEN],
  },
  {
    id: 'ended-offer-is-chosen',
    rule: 'An offer cannot be chosen whose payment page would be open for longer than it is good',
    file: CHOICES,
    find: 'choosableUntil(journey, validUntil) > now',
    replace: 'validUntil.getTime() > 0',
    specs: [CHOSEN],
  },
  {
    id: 'others-hear-nothing-of-the-payment',
    rule: 'When the fee is paid, the lenders of the other offers are told that another was chosen',
    file: 'src/journeys/progress/decision-request.ts',
    find: 'await this.withdrawals.tellNotChosen(tx, journey, offer);',
    replace: '',
    specs: [OFFERS, CHOSEN],
  },
];
