import 'reflect-metadata';
import { beforeEach, expect, it } from 'vitest';
import type { NewQuestion } from '../../lenders/index.js';
import type { Journey } from '../store/journey.entity.js';
import type { Offer } from '../store/offer.entity.js';
import { LenderWithdrawals } from './lender-withdrawals.js';

const TX = {} as never;
const OFFER = { lenderCode: 'a', lenderReference: 'A-1' } as Offer;
const JOURNEY = {
  id: 'jrn_1',
  steps: ['OFFERS'],
  selectedOfferId: 'off_1',
  selection: { applicationReference: 'APP-1' },
} as unknown as Journey;

let sent: NewQuestion[];
let withdrawals: LenderWithdrawals;

beforeEach(() => {
  sent = [];
  const outbox = {
    lendersAsked: () => Promise.resolve(['a', 'b']),
    putAll: (_: unknown, questions: NewQuestion[]) => Promise.resolve(void sent.push(...questions)),
    statesOf: (_: unknown, _kind: string, [about]: { reference: string }[]) => {
      const found = sent.filter(({ reference }) => reference === about.reference);
      return Promise.resolve(new Map([[JOURNEY.id, found]]));
    },
  };
  const offers = {
    lendersOf: () => Promise.resolve([{ lenderCode: 'a', onlyReference: 'A-1' }]),
    selected: () => Promise.resolve(OFFER),
  };
  withdrawals = new LenderWithdrawals(outbox as never, offers as never);
});

it('a lender whose choice was voided can be chosen again; one that was replaced cannot', async () => {
  await withdrawals.notifyVoided(TX, JOURNEY, OFFER, 'int_1');
  expect(sent.map(({ lenderCode }) => lenderCode)).toEqual(['a']);
  expect(await withdrawals.notifiedNotChosen(TX, JOURNEY)).toEqual(new Set());
  await withdrawals.notifyReplaced(TX, JOURNEY, OFFER);
  expect(await withdrawals.notifiedNotChosen(TX, JOURNEY)).toEqual(new Set(['a']));
});

it('only the chosen lender receives its application reference when consent is withdrawn', async () => {
  await withdrawals.notifyConsentWithdrawn(TX, JOURNEY);
  expect(sent.map((one) => [one.lenderCode, one.payload.applicationReference])).toEqual([
    ['a', 'APP-1'],
    ['b', undefined],
  ]);
});
