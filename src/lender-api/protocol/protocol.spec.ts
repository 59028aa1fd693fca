import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { REDIRECT_STEPS } from '../../journey-steps/index.js';
import { PERSONAL_OFFER } from '../document/offer-examples.js';
import { DocumentMessages } from '../document/document-messages.js';
import { CALLBACKS } from './callbacks.js';
import { Offer } from './offer.js';
import { QUESTIONS } from './questions.js';
import { Pending } from './transport.js';
import { Evidence } from './verdicts.js';

const { OFFERS, SESSIONS, STEPS, DISBURSEMENTS } = QUESTIONS;
const shown = (schema: z.ZodType) => {
  const { examples } = new DocumentMessages().content(schema).content['application/json'];
  return Object.fromEntries(
    Object.entries(examples).map(([name, { value }]) => [name, value as Record<string, unknown>]),
  );
};
const { DECLINED: declined } = shown(OFFERS.verdict);
const { OPENED: opened } = shown(SESSIONS.verdict);
const { PAID: paid } = shown(DISBURSEMENTS.verdict);
const { personal: asked } = shown(OFFERS.request);

const isOffer = (changes: object) => Offer.safeParse({ ...PERSONAL_OFFER, ...changes }).success;
const isDecline = (changes: object) =>
  OFFERS.verdict.safeParse({ ...declined, ...changes }).success;
const isSession = (changes: object) =>
  SESSIONS.verdict.safeParse({ ...opened, ...changes }).success;

describe('a field that the protocol does not know', () => {
  it('is ignored, on every level', () => {
    const offer = { ...PERSONAL_OFFER, colour: 'green', rate: { ...PERSONAL_OFFER.rate, x: 1 } };
    expect(Offer.parse(offer)).toEqual(PERSONAL_OFFER);
  });
});

describe('a word that the protocol does not know', () => {
  it('is read as OTHER where there is OTHER', () => {
    const verdict = OFFERS.verdict.parse({ ...declined, reason: 'MOON_IN_CAPRICORN' });
    expect(verdict).toEqual({ ...declined, reason: 'OTHER' });
    const event = {
      id: 'e1',
      applicationId: 'app_1',
      loanReference: 'L1',
      event: 'RESTRUCTURED',
      happenedAt: '2026-11-24T10:00:00+05:30',
    };
    expect(CALLBACKS.LOAN_EVENTS.request.parse(event)).toMatchObject({ event: 'OTHER' });
  });

  it.each([
    ['verdict', { ...declined, verdict: 'MAYBE' }],
    ['rate', { answerId: 'a', verdict: 'OFFERED', offers: [{ ...PERSONAL_OFFER, rate: 'LOW' }] }],
    ['reason that is no text', { ...declined, reason: 7 }],
    ['reason that is missing', { ...declined, reason: undefined }],
    ['reason without end', { ...declined, reason: 'X'.repeat(65) }],
  ])('makes the message unknown where there is none: %s', (_, verdict) => {
    expect(OFFERS.verdict.safeParse(verdict).success).toBe(false);
  });
});

describe('a redirect step', () => {
  it('has its own evidence that it was passed', () => {
    const steps = Evidence.options.map(({ shape }) => shape.step.value);
    expect(steps).toEqual(REDIRECT_STEPS);
  });
});

describe('a value', () => {
  it.each<[string, (value: unknown) => boolean, unknown[], unknown[]]>([
    [
      'amount is whole paise above zero',
      (amount) => DISBURSEMENTS.verdict.safeParse({ ...paid, amount }).success,
      [1, 1_000_000_000_000],
      [0, -1, 1.5, 1e13, '100', Number.NaN, null],
    ],
    [
      'percentage is decimal text',
      (apr) => isOffer({ apr }),
      ['0', '14.25', '999.123456'],
      [14, '14 %', '1e2', '-1', '.5', '1000', '14.1234567', ''],
    ],
    [
      'moment has seconds and an offset',
      (validUntil) => isOffer({ validUntil }),
      ['2026-11-29T18:00:00+05:30', '2026-11-29T12:30:00.125Z'],
      ['2026-11-29', '2026-11-29T18:00:00', '2026-02-30T00:00:00Z', '9999-12-31T23:59:59Z', 0],
    ],
    [
      'text is one line without what harms its reader',
      (detail) => isDecline({ detail }),
      ['FOIR above 55 %', '<b>bold</b>', 'क्\u200dष', 'x'.repeat(500), '𑄌'.repeat(500)],
      [
        '',
        '   ',
        'a\nb',
        'a\u0000b',
        'a\u202eb',
        'a\u200bb',
        'a\ud800b',
        'x'.repeat(501),
        '𑄌'.repeat(501),
        null,
      ],
    ],
    [
      'address is of a web page, without credentials',
      (url) => isSession({ url }),
      ['https://apply.lender.example/s?a=1#b', 'http://localhost:4100/kyc/1'],
      [
        'javascript:alert(1)',
        '//lender.example/',
        'https://user@lender.example/',
        'https://lender.example\\@evil.example/',
        'https://',
        `https://lender.example/${'x'.repeat(2048)}`,
      ],
    ],
    [
      'reference can be part of an address',
      (name) => isOffer({ reference: name }),
      ['NV-OFF-88213', 'a:b.c'],
      ['', '../x', 'a/b', 'a b', 'x'.repeat(101), 'é', '-a'],
    ],
    [
      'time to ask again is 1 s to 6 h',
      (askAgainAfterSeconds) => Pending.safeParse({ askAgainAfterSeconds }).success,
      [1, 21_600],
      [0, 21_601, 1.5, undefined],
    ],
  ])('%s', (_, is, right, wrong) => {
    expect(right.filter((value) => !is(value))).toEqual([]);
    expect(wrong.filter(is)).toEqual([]);
  });
});

describe('an offer', () => {
  it('has a range that its principal is in', () => {
    const { principal } = PERSONAL_OFFER;
    expect(isOffer({ minimumAmount: principal, maximumAmount: principal })).toBe(true);
    expect(isOffer({ minimumAmount: principal + 1 })).toBe(false);
    expect(isOffer({ maximumAmount: principal - 1 })).toBe(false);
  });

  it.each(['BULLET', 'INTEREST_THEN_BULLET', 'CUSTOM'])('of kind %s has its schedule', (kind) => {
    const schedule = [{ dueOn: '2027-11-24', principal: 100, interest: 0, amount: 100 }];
    expect(isOffer({ repayment: { kind, schedule } })).toBe(true);
    expect(isOffer({ repayment: { kind } })).toBe(false);
    expect(isOffer({ repayment: { kind, schedule: [] } })).toBe(false);
  });

  it.each(['FLOATING', 'HYBRID'])('of rate %s says what the rate follows', (kind) => {
    const floating = {
      kind,
      annualPercent: '9',
      benchmark: { name: 'RBI repo rate', percent: '9.25' },
      spreadPercent: '-0.25',
      resetEveryMonths: 3,
      fixedMonths: 24,
    };
    expect(isOffer({ rate: floating })).toBe(true);
    expect(isOffer({ rate: { ...floating, benchmark: undefined } })).toBe(false);
  });

  it('says of a fee that is due later when that is', () => {
    const fee = { name: 'Renewal', payee: 'LENDER', amount: 1, due: 'LATER' };
    expect(isOffer({ fees: [{ ...fee, dueOn: '2027-11-24' }] })).toBe(true);
    expect(isOffer({ fees: [fee] })).toBe(false);
  });
});

describe('a session', () => {
  it('covers steps, each once', () => {
    expect(isSession({ covers: ['KYC', 'ESIGN'] })).toBe(true);
    expect(isSession({ covers: ['KYC', 'KYC'] })).toBe(false);
    expect(isSession({ covers: [] })).toBe(false);
  });
});

describe('a passed step', () => {
  it('has the evidence of its own kind', () => {
    const passed = { answerId: 'a', verdict: 'PASSED', passedAt: '2026-11-24T10:00:00Z' };
    const is = (evidence: object) => STEPS.verdict.safeParse({ ...passed, evidence }).success;
    expect(is({ step: 'KYC', kycReference: 'K1' })).toBe(true);
    expect(is({ step: 'MANDATE', kycReference: 'K1' })).toBe(false);
    expect(is({ step: 'ESIGN', documentHash: 'A'.repeat(64) })).toBe(false);
  });
});

describe('a request for offers', () => {
  const is = (changes: object) => OFFERS.request.safeParse({ ...asked, ...changes }).success;

  it('needs of the applicant the mobile number and the PAN alone', () => {
    expect(is({ applicant: { mobile: '9876543210', pan: 'ABCDE1234F' } })).toBe(true);
    expect(is({ applicant: { mobile: '9876543210' } })).toBe(false);
    expect(is({ applicant: { pan: 'ABCDE1234F' } })).toBe(false);
  });

  it('takes every income and text that a partner may send', () => {
    const applicant = { mobile: '9876543210', pan: 'ABCDE1234F' };
    const monthlyIncome = 1e15;
    expect(is({ applicant: { ...applicant, monthlyIncome, city: '😀'.repeat(200) } })).toBe(true);
    expect(is({ applicant: { ...applicant, monthlyIncome: monthlyIncome + 1 } })).toBe(false);
    expect(is({ applicant: { ...applicant, city: '😀'.repeat(201) } })).toBe(false);
  });
});
