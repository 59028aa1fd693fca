import { type INestApplicationContext, Logger } from '@nestjs/common';
import { afterEach, expect, it, vi } from 'vitest';
import { refuseUnserved } from './refuse-unserved.js';
import { LendersRepository, ProductsRepository } from './settings/index.js';

const REMOTE = { address: 'https://lender.example/rlp', keys: { kind: 'PINNED', keys: [] } };
const PRODUCTS = [
  { code: 'P', channel: 'ONLINE', isEnabled: true, steps: ['KYC', 'MANDATE', 'ESIGN'] },
];

afterEach(() => void vi.restoreAllMocks());

function lender(remote: object | null = REMOTE, isEnabled = true) {
  const providers = [{ step: 'KYC', name: 'Example', host: 'pages.lender.example' }];
  const terms = { products: { P: {} }, providers };
  return { code: isEnabled ? 'one' : 'left', adapter: 'rlp', isEnabled, terms, remote };
}

function refuse(mode: 'production' | 'sandbox', lenders: object[]): Promise<void> {
  const rows = new Map<unknown, unknown>([
    [LendersRepository, lenders],
    [ProductsRepository, PRODUCTS],
  ]);
  const app = { get: (token: unknown) => ({ readAll: () => rows.get(token) }) };
  const network = { isLoopback: false, privateNetworks: [], sandboxOpen: false };
  const deployment = { mode, ...network, lenderAdapters: ['rlp'] };
  return refuseUnserved(app as unknown as INestApplicationContext, deployment);
}

it.each([
  ['production', ['MANDATE', 'ESIGN']],
  ['sandbox', []],
] as const)('in %s it warns of the steps without a named host', async (mode, steps) => {
  const warn = vi.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
  await refuse(mode, [lender(), lender(null, false)]);
  expect(warn.mock.calls.flat()).toEqual(
    steps.map(
      (step) =>
        `lenders.one.providers must name a host for ${step}: without it no applicant can start this step`,
    ),
  );
});

it.each([
  [null, ['remote is required here']],
  [
    {
      address: 'https://10.0.0.7/rlp',
      keys: { kind: 'JWKS', address: 'https://169.254.169.254/jwks.json' },
    },
    ['remote.address must be a public', 'remote.jwks must be a public'],
  ],
])('a lender that is reached at %j is refused', async (remote, problems) => {
  const refusal = refuse('sandbox', [lender(remote)]);
  for (const problem of problems) await expect(refusal).rejects.toThrow(`lenders.one.${problem}`);
});
