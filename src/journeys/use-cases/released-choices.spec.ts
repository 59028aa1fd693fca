import 'reflect-metadata';
import { expect, it, vi } from 'vitest';
import type { OffersRepository } from '../store/offers.repository.js';
import { ReleasedChoices } from './released-choices.js';

it('a replaced choice expires, also when the next offer is from the same lender', async () => {
  const chosen = { id: 'off_1', lenderCode: 'navdhara' };
  const expire = vi.fn<OffersRepository['expire']>();
  const notifyReplaced = vi.fn<() => void>();
  const choices = new ReleasedChoices(
    {} as never,
    {
      selected: () => Promise.resolve(chosen),
      lastChoosable: () => Promise.resolve(null),
      expire,
    } as never,
    { release: () => undefined } as never,
    { notifyReplaced } as never,
    { moveGroups: () => Promise.resolve([[{}]]) } as never,
  );
  const tx = {} as never;
  await choices.replace(tx, { id: 'jrn_1' } as never, { ...chosen, id: 'off_2' } as never);
  expect(expire.mock.calls).toEqual([[tx, chosen]]);
  expect(notifyReplaced).not.toHaveBeenCalled();
});
