import 'reflect-metadata';
import { expect, it, vi } from 'vitest';
import type { QuestionOutbox } from '../../lenders/index.js';
import { DecisionRequest } from './state-entry.js';

it('a paid application reaches its lender with the consent', async () => {
  const consent = { givenBy: 'PARTNER' };
  const put = vi.fn<QuestionOutbox['put']>();
  const request = new DecisionRequest(
    { draw: () => Promise.resolve({ offer: {}, payload: { loanAmount: 1 } }) } as never,
    { notifyNotChosen: () => undefined } as never,
    { attested: () => Promise.resolve({ forLenders: consent }) } as never,
    { put } as never,
    { note: () => undefined } as never,
  );
  await request.ask({} as never, {} as never);
  expect(put.mock.lastCall).toMatchObject([{}, { payload: { loanAmount: 1, consent } }]);
});
