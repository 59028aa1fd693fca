import 'reflect-metadata';
import { expect, it } from 'vitest';
import type { QuestionState } from '../../lenders/index.js';
import type { Journey } from '../store/journey.entity.js';
import { EndedRounds, lendersWithoutOffer } from './ended-rounds.js';

const asked = (lenderCode: string, status: 'OPEN' | 'ANSWERED', isUnreachable = false) =>
  ({ lenderCode, status, isUnreachable }) as QuestionState;

it('names each lender without an offer at the end of the round, with its standing', async () => {
  const refused = new Map([['jrn_1', [asked('refused', 'OPEN')]]]);
  const rounds = new EndedRounds(
    { statesOf: () => Promise.resolve(refused) } as never,
    { find: (code: string) => Promise.resolve({ name: code.toUpperCase() }) } as never,
  );
  const [{ round, lenders }] = await rounds.of({} as never, [
    {
      journey: { id: 'jrn_1', offerRound: 2 } as Journey,
      states: [
        asked('offered', 'ANSWERED'),
        asked('declined', 'ANSWERED'),
        asked('refused', 'ANSWERED'),
        asked('away', 'OPEN', true),
        asked('silent', 'OPEN'),
      ],
      offers: { lenderCodes: ['offered'] } as never,
    },
  ]);
  expect(round).toBe(2);
  expect(lenders).toEqual([
    { code: 'declined', name: 'DECLINED', standing: 'DECLINED' },
    { code: 'refused', name: 'REFUSED', standing: 'OFFER_REFUSED' },
    { code: 'away', name: 'AWAY', standing: 'UNREACHABLE' },
    { code: 'silent', name: 'SILENT', standing: 'NO_ANSWER' },
  ]);
  const named = (offerRound: number) =>
    lendersWithoutOffer({ offerRound, lendersWithoutOffer: { round, lenders } } as Journey);
  expect([named(2), named(3)]).toEqual([lenders, null]);
});
