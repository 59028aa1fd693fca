import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Eligibility, type LenderConnector, LenderGateway } from '../lenders/index.js';
import { Metrics } from '../platform/index.js';
import { EligibilityChecks } from './eligibility-checks.js';

const QUESTION = {
  productCode: 'ONLINE_PERSONAL',
  loanAmount: 200_000_00,
  pinCode: '560001',
  employmentType: 'salaried',
  monthlyIncome: 60_000_00,
} as const;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Logger.prototype, 'warn').mockReturnValue();
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function checksOf(codes: readonly string[], eligibility: LenderConnector['eligibility']) {
  const lenders = codes.map((code) => ({
    code,
    name: code.toUpperCase(),
    adapter: 'rlp',
    remote: { eligibility: true },
    terms: { products: { ONLINE_PERSONAL: {} } },
  }));
  const catalogue = {
    serving: () => Promise.resolve(lenders),
    find: (code: string) => Promise.resolve(lenders.find((lender) => lender.code === code)),
  } as never;
  const connector = { adapter: 'rlp', eligibility } as LenderConnector;
  const gateway = new LenderGateway(catalogue, new Metrics(), { mode: 'sandbox' }, [connector]);
  const eligibilityShown = vi.fn<(shown: object) => Promise<void>>().mockResolvedValue();
  const checks = new EligibilityChecks(
    catalogue,
    gateway,
    { eligibilityShown } as never,
    { next: () => 'elg_1' } as never,
  );
  return { checks, eligibilityShown };
}

it('lenders are asked together, and those that do not answer within two seconds are UNKNOWN', async () => {
  const { checks, eligibilityShown } = checksOf(['b', 'c', 'a'], ({ lender }) =>
    lender.code === 'b'
      ? Promise.resolve<Eligibility>({ verdict: 'LIKELY' })
      : new Promise(() => undefined),
  );
  const done = vi.fn<(answer: unknown) => void>();
  void checks.check('demo', QUESTION).then(done);
  await vi.advanceTimersByTimeAsync(1_999);
  expect(done).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  const lenders = [
    { lenderCode: 'a', lenderName: 'A', verdict: 'UNKNOWN' },
    { lenderCode: 'b', lenderName: 'B', verdict: 'LIKELY' },
    { lenderCode: 'c', lenderName: 'C', verdict: 'UNKNOWN' },
  ];
  expect(done).toHaveBeenCalledExactlyOnceWith({ id: 'elg_1', lenders });
  expect(eligibilityShown).toHaveBeenCalledExactlyOnceWith({
    partnerId: 'demo',
    subjectId: 'elg_1',
    productCode: 'ONLINE_PERSONAL',
    loanAmount: 200_000_00,
    lenders,
  });
});

it('an answer that cannot be recorded is not given', async () => {
  const { checks, eligibilityShown } = checksOf(['a'], () =>
    Promise.resolve<Eligibility>({ verdict: 'LIKELY' }),
  );
  eligibilityShown.mockRejectedValue(new Error('away'));
  await expect(checks.check('demo', QUESTION)).rejects.toThrow('away');
});

it('a lender whose adapter cannot be asked, or fails otherwise, is UNKNOWN', async () => {
  vi.spyOn(Logger.prototype, 'error').mockReturnValue();
  for (const eligibility of [undefined, () => Promise.reject(new TypeError('a bug'))]) {
    const { lenders } = await checksOf(['a'], eligibility).checks.check('demo', QUESTION);
    expect(lenders.map(({ verdict }) => verdict)).toEqual(['UNKNOWN']);
  }
});
