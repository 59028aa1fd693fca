import type { Paise } from '../loans/index.js';
import type { LenderAnswer } from './lender-port.js';

/** What a lender's answer is about: of a payout what was paid, of offers the principal of the first. */
export function answerAmount(answer: LenderAnswer): { readonly amount?: Paise } {
  if (answer.kind === 'PAID') return { amount: answer.amount };
  const [offer] = answer.kind === 'OFFERED' ? answer.offers : [];
  return offer ? { amount: offer.principal } : {};
}
