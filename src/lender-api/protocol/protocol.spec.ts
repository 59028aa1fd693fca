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

describe('an amount', () => {
  it.each([1, 1_000_000_000_000])('is paise above zero: %s', (amount) => {
    expect(isPaid(amount)).toBe(true);
  });

  it.each([0, -1, 1.5, 1e13, '100', Number.NaN, null])('is nothing else: %s', (amount) => {
    expect(isPaid(amount)).toBe(false);
  });

  function isPaid(amount: unknown): boolean {
    return DISBURSEMENTS.verdict.safeParse({ ...paid, amount }).success;
  }
});

describe('a percentage', () => {
  it.each(['0', '14', '14.25', '999.123456'])('is decimal text: %s', (apr) => {
    expect(isOffer({ apr })).toBe(true);
  });

  it.each([14, '14 %', '1e2', '-1', '.5', '1000', '14.1234567', ''])(
    'is nothing else: %s',
    (apr) => {
      expect(isOffer({ apr })).toBe(false);
    },
  );
});

describe('a moment', () => {
  it.each(['2026-11-29T18:00:00+05:30', '2026-11-29T12:30:00Z', '2026-11-29T12:30:00.125Z'])(
    'has seconds and an offset: %s',
    (validUntil) => {
      expect(isOffer({ validUntil })).toBe(true);
    },
  );

  it.each([
    '2026-11-29',
    '2026-11-29T18:00:00',
    '2026-11-29T18:00+05:30',
    '2026-02-30T00:00:00Z',
    '9999-12-31T23:59:59Z',
    '0001-01-01T00:00:00Z',
    0,
  ])('is nothing else: %s', (validUntil) => {
    expect(isOffer({ validUntil })).toBe(false);
  });
});

describe('a text', () => {
  it.each(['FOIR above 55 %', '<b>bold</b>', 'आय कम है', 'क्\u200dष', 'x'.repeat(500)])(
    'is one line: %s',
    (detail) => {
      expect(isDecline({ detail })).toBe(true);
    },
  );

  it.each([
    ['empty', ''],
    ['blanks', '   '],
    ['two lines', 'a\nb'],
    ['a zero byte', 'a\u0000b'],
    ['text turned round', 'a\u202eb'],
    ['a mark of direction', 'a\u200fb'],
    ['what cannot be seen', 'a\u200bb'],
    ['a byte order mark', '\ufeffa'],
    ['a tag', 'a\u{e0041}b'],
    ['half a character', 'a\ud800b'],
    ['marks piled up', `a${'\u0300'.repeat(196)}`],
    ['too long', 'x'.repeat(501)],
    ['null', null],
  ])('holds nothing that harms who reads it: %s', (_, detail) => {
    expect(isDecline({ detail })).toBe(false);
  });
});

describe('an address for a browser', () => {
  it.each([
    'https://apply.lender.example/s?a=1#b',
    'http://localhost:4100/kyc/1',
    'https://l.example/@a',
  ])('%s', (url) => {
    expect(isSession({ url })).toBe(true);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://lender.example/',
    '//lender.example/',
    'https://user@lender.example/',
    'https://:secret@lender.example/',
    'https://lender.example\\@evil.example/',
    'https://',
    'https://lender.example/a b',
    `https://lender.example/${'x'.repeat(2048)}`,
  ])('is refused: %s', (url) => {
    expect(isSession({ url })).toBe(false);
  });
});

describe('a reference', () => {
  it.each(['NV-OFF-88213', 'navdhara-qst_019aab3c', 'a:b.c'])(
    'can stand in an address: %s',
    (name) => {
      expect(isOffer({ reference: name })).toBe(true);
    },
  );

  it.each(['', '../x', 'a/b', 'a b', 'x'.repeat(101), 'é', '-a'])('is nothing else: %s', (name) => {
    expect(isOffer({ reference: name })).toBe(false);
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

describe('a 202', () => {
  it.each([1, 21_600])('names when to ask again: %s', (askAgainAfterSeconds) => {
    expect(Pending.safeParse({ askAgainAfterSeconds }).success).toBe(true);
  });

  it.each([0, 21_601, 1.5, undefined])('names nothing else: %s', (askAgainAfterSeconds) => {
    expect(Pending.safeParse({ askAgainAfterSeconds }).success).toBe(false);
  });
});

describe('a request for offers', () => {
  const is = (changes: object) => OFFERS.request.safeParse({ ...asked, ...changes }).success;

  it('needs of the applicant the mobile number and the PAN alone', () => {
    expect(is({ applicant: { mobile: '9876543210', pan: 'ABCDE1234F' } })).toBe(true);
    expect(is({ applicant: { mobile: '9876543210' } })).toBe(false);
    expect(is({ applicant: { pan: 'ABCDE1234F' } })).toBe(false);
  });

  it('says until when an answer is of use, which other questions may leave out', () => {
    expect(is({ usefulUntil: undefined })).toBe(false);
    const quote = shown(QUESTIONS.QUOTES.request).smaller;
    expect(QUESTIONS.QUOTES.request.safeParse(quote).success).toBe(true);
  });
});
