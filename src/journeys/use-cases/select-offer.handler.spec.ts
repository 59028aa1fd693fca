import 'reflect-metadata';
import { expect, it } from 'vitest';
import type { Journey } from '../store/journey.entity.js';
import { SelectOfferHandler } from './select-offer.handler.js';

it.each([
  ['off_1', true],
  ['off_0', false],
])('a page that shows %s as the choice may replace the choice off_1: %s', async (shown, isOpen) => {
  const handler = new SelectOfferHandler(
    {} as never,
    {} as never,
    { of: () => Promise.resolve('OPEN') } as never,
    ...([] as unknown as [never, never, never, never, never]),
  );
  const journey = { selectedOfferId: 'off_1' } as Journey;
  const intent = { offerId: 'off_2', insteadOf: { offerId: shown, unsigned: null } };
  expect(await handler.isOpenElsewhere({} as never, journey, intent)).toBe(isOpen);
});
