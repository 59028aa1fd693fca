import 'reflect-metadata';
import { expect, it, vi } from 'vitest';
import type { WaitingAnswer } from '../../lenders/index.js';
import type { AnswerFlags } from '../progress/answer-flags.js';
import type { Journey } from '../store/journey.entity.js';
import { OfferAnswers, OfferRevisions, ReplaceableOffers } from './offer-answers.js';
import type { OfferIntake } from './offer-intake.js';

const TX = {} as never;
const done = () => Promise.resolve();
const WAITING = {
  id: 'inb_1',
  lenderCode: 'navdhara',
  reference: '1',
  answer: { kind: 'OFFERED', offers: [{ reference: 'R-1' }] },
} as unknown as WaitingAnswer<'OFFERS'>;

it.each([
  [1, true, 1, 0],
  [1, false, 0, 1],
  [2, true, 0, 1],
])(
  'an answer to request 1 in round %i, the first %s, adds %i offers and raises %i flags',
  async (offerRound, isFirst, offers, flags) => {
    const takeAll = vi.fn<OfferIntake['takeAll']>();
    const raiseLate = vi.fn<AnswerFlags['raiseLate']>();
    const journey = { id: 'jrn_1', state: 'INITIATED', offerRound };
    const answers = new OfferAnswers(
      { markConsumed: done } as never,
      { lock: () => Promise.resolve(journey) } as never,
      { takeAll } as never,
      { evaluate: done } as never,
      {} as never,
      { markAnswered: () => Promise.resolve(isFirst ? [WAITING] : []) } as never,
      { raiseLate } as never,
    );
    await answers.apply(TX, WAITING);
    expect(takeAll.mock.lastCall![1]).toHaveLength(offers);
    expect(raiseLate).toHaveBeenCalledTimes(flags);
  },
);

it('only the chosen lender replaces the chosen offer: another lender’s revision is flagged', async () => {
  const takeAll = vi.fn<OfferIntake['takeAll']>().mockResolvedValue([]);
  const raise = vi.fn<AnswerFlags['raise']>();
  const offers = {
    selected: () => Promise.resolve({ lenderCode: 'kaverisetu' }),
    listIn: () => Promise.resolve([]),
  };
  const redirects = { signingVisits: () => Promise.resolve([]) };
  const revisions = new OfferRevisions(
    {} as never,
    new ReplaceableOffers(offers as never, redirects as never, {} as never),
    { takeAll } as never,
    {} as never,
    { hasActionInFlight: () => Promise.resolve(false) } as never,
    {} as never,
    {} as never,
    { raise } as never,
  );
  const journey = { selectedOfferId: 'off_1', state: 'KYC_PENDING', steps: ['OFFERS', 'KYC'] };
  await revisions.take(TX, WAITING, journey as unknown as Journey);
  expect(takeAll).not.toHaveBeenCalled();
  expect(raise).toHaveBeenCalledOnce();
});
