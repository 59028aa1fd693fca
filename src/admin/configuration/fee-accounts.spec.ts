import { describe, expect, it } from 'vitest';
import {
  problemsOf,
  PRODUCTION,
  REAL_GATEWAYS,
  SANDBOX,
  shippedValues,
} from './configuration-example.js';

interface File {
  products: { code: string; enabled?: boolean }[];
  lenders: {
    code: string;
    enabled?: boolean;
    payment?: unknown;
    products: Record<string, unknown>;
  }[];
}

const { payment } = REAL_GATEWAYS;
const OF_TEST = {
  gateway: 'razorpay',
  razorpay: { ...payment.razorpay, keyId: 'rzp_test_000000' },
};
const LACKING = "is required here: the fee of ONLINE_INSTANT goes into the lender's own account";

/** The problems with the lenders' accounts in a changed file. */
function problemsWith(change: (file: File) => void, deployment = PRODUCTION): string[] {
  const file = shippedValues() as unknown as File;
  change(file);
  const text = { ...file, ...(deployment === PRODUCTION && REAL_GATEWAYS) };
  return problemsOf(text, deployment).filter((line) => /^lenders\[\d\]\.payment/.test(line));
}

describe('in production', () => {
  it('every lender of an instant product needs an account of its own', () => {
    expect(problemsWith(() => undefined)).toEqual(
      [0, 1, 2].map((n) => `lenders[${n}].payment ${LACKING}`),
    );
  });

  it('one that serves none, or is switched off, needs none; nor does a product that is switched off', () => {
    const change = ({ lenders: [first, second, third] }: File) => {
      delete first.products.ONLINE_INSTANT;
      second.enabled = false;
      third.payment = payment;
    };
    expect(problemsWith(change)).toEqual([]);
    const off = ({ products }: File) => {
      products.find(({ code }) => code === 'ONLINE_INSTANT')!.enabled = false;
    };
    expect(problemsWith(off)).toEqual([]);
  });

  it.each([
    [OF_TEST, 'payment.razorpay.keyId must be a key of this mode: rzp_live_…'],
    [{ gateway: 'razorpay' }, 'payment.razorpay is missing; it must be a mapping'],
    [
      { gateway: 'sandbox' },
      'payment.gateway must be a real gateway; leave payment out for the simulated gateway, which has no accounts',
    ],
  ])('an account may not be %j', (account, problem) => {
    const change = ({ lenders }: File) => {
      for (const lender of lenders) lender.payment = payment;
      lenders[1].payment = account;
    };
    expect(problemsWith(change)).toEqual([`lenders[1].${problem}`]);
  });
});

it('in the sandbox a lender may name a test account, or none', () => {
  const change = ({ lenders }: File) => {
    lenders[0].payment = OF_TEST;
  };
  expect(problemsWith(change, SANDBOX)).toEqual([]);
});
