import { type INestApplicationContext, Logger } from '@nestjs/common';
import { afterEach, expect, it, vi } from 'vitest';
import { refuseUnserved } from './refuse-unserved.js';
import { LendersRepository, ProductsRepository } from './settings/index.js';

const KYC = { step: 'KYC', name: 'Example', host: 'pages.lender.example' };
const remote = { address: 'https://lender.example/rlp', keys: { kind: 'PINNED', keys: [] } };

afterEach(() => void vi.restoreAllMocks());

it.each([
  ['production', ['MANDATE', 'ESIGN']],
  ['sandbox', []],
] as const)('in %s it warns of the steps without a named host', async (mode, steps) => {
  const lender = (code: string, isEnabled: boolean, providers?: object[]) => ({
    code,
    adapter: 'rlp',
    isEnabled,
    terms: { products: { P: {} }, providers },
    remote,
  });
  const lenders = [lender('one', true, [KYC]), lender('left', false)];
  const products = [
    { code: 'P', channel: 'ONLINE', isEnabled: true, steps: ['KYC', 'MANDATE', 'ESIGN'] },
  ];
  const rows = new Map<unknown, unknown>([
    [LendersRepository, lenders],
    [ProductsRepository, products],
  ]);
  const app = { get: (token: unknown) => ({ readAll: () => rows.get(token) }) };
  const warn = vi.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
  await refuseUnserved(app as unknown as INestApplicationContext, {
    mode,
    isLoopback: false,
    privateNetworks: [],
    sandboxOpen: false,
    lenderAdapters: ['rlp'],
  });
  expect(warn.mock.calls.flat()).toEqual(
    steps.map(
      (step) => `lenders.one.providers names no host for ${step}: no applicant can start this step`,
    ),
  );
});
