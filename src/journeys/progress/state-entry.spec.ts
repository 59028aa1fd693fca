import 'reflect-metadata';
import { expect, it, vi } from 'vitest';
import { DecisionRequest } from './state-entry.js';

it('a paid application reaches its lender with the consent', async () => {
  const consent = { givenBy: 'PARTNER' };
  const put = vi.fn();
  const request = new DecisionRequest(
    { draw: () => Promise.resolve({ offer: {}, payload: { loanAmount: 1 } }) } as never,
    { notifyNotChosen: vi.fn() } as never,
    { attested: () => Promise.resolve({ forLenders: consent }) } as never,
    { put } as never,
    { note: vi.fn() } as never,
  );
  await request.ask({} as never, {} as never);
  expect(put.mock.lastCall).toMatchObject([{}, { payload: { loanAmount: 1, consent } }]);
});
