import type { Json } from '../middleman.ts';
import { answers, type BrokenLender, fail, type Offer } from './broken-lender.ts';

const DAY_MS = 86_400_000;

function offers(name: string, fails: string[], edit: (offer: Offer) => void): BrokenLender {
  return answers(name, fails, (draft) => {
    if (draft.call === 'offers' && draft.status === 200) {
      for (const offer of (draft.body['offers'] ?? []) as Offer[]) edit(offer);
    }
  });
}

export const OFFERS: readonly BrokenLender[] = [
  offers('leaves the name of a fee out', ['RLP-055'], ({ fees }) =>
    fees.forEach((fee) => delete fee['name']),
  ),
  offers('is two rupees off in its instalments', ['RLP-057'], ({ repayment }) => {
    repayment['instalment'] = Number(repayment['instalment']) + 200;
  }),
  offers('is two hundredths of a point off in its APR', ['RLP-058'], (offer) => {
    offer['apr'] = (Number(offer['apr']) + 0.02).toFixed(2);
  }),
  offers('is a paisa off in its net payout', ['RLP-059', 'RLP-122'], (offer) => {
    offer['netPayout'] = Number(offer['netPayout']) + 1;
  }),
  offers('stands by its offers for a day', ['RLP-060'], (offer) => {
    const week = Date.parse(String(offer['validUntil']));
    offer['validUntil'] = new Date(week - 6 * DAY_MS).toISOString();
  }),
  offers('has a range that is none', ['RLP-061'], (offer) => {
    offer['maximumAmount'] = Number(offer['principal']) - 1;
  }),
  offers('has more tax than fee', ['RLP-062'], ({ fees }) =>
    fees.forEach((fee) => (fee['gst'] = Number(fee['amount']) + 1)),
  ),
  offers('states a percentage that does not give its fee', ['RLP-062'], ({ fees }) =>
    fees.forEach((fee) => (fee['percentOfPrincipal'] = '0.01')),
  ),
  offers('has a floating rate that does not add up', ['RLP-064'], (offer) => {
    const benchmark = { name: 'RBI repo rate', percent: '1' };
    const floating = { kind: 'FLOATING', benchmark, spreadPercent: '1', resetEveryMonths: 3 };
    offer.rate = { ...offer.rate, ...floating };
  }),
  offers('understates the loan-to-value ratio', ['RLP-066'], ({ goldValuation }) => {
    if (goldValuation) goldValuation['ltvPercent'] = '1';
  }),
  answers('turns the ranges of an eligibility round', ['RLP-197'], (draft) => {
    const { min, max } = (draft.body['amount'] ?? {}) as Json;
    if (draft.call === 'eligibilities' && min) draft.body['amount'] = { min: max, max: min };
  }),
  answers('takes the fee of an instant loan off its payout', ['RLP-135'], (draft) => {
    const { kind } = (draft.request['subject'] ?? {}) as Json;
    if (draft.call !== 'offers' || kind !== 'INSTANT_LOAN') return;
    for (const offer of (draft.body['offers'] ?? []) as Offer[]) {
      for (const fee of offer.fees) {
        fee['due'] = 'AT_PAYOUT';
        offer['netPayout'] = Number(offer['netPayout']) - Number(fee['amount']);
      }
    }
  }),
  answers('declines with an error', ['RLP-067', 'RLP-068', 'RLP-133'], (draft) => {
    if (draft.body['verdict'] === 'DECLINED') fail(draft, 422, 'declined');
  }),
];
