import type { Request } from 'express';
import { describe, expect, it } from 'vitest';
import { type HostedJourneyView, JOURNEY_STATES } from '../../journeys/index.js';
import {
  questionOf,
  type QuestionPage,
  requireScreen,
  requireStamp,
  screenOf,
  ScreenRedirect,
} from './current-screen.js';

type Position = Parameters<typeof screenOf>[0];

const BEFORE: Position = {
  state: 'INITIATED',
  loanAmountSource: 'PARTNER',
  isConfirmed: false,
  consent: null,
  missingDetails: ['gender', 'income'],
};
const CONSENT = { textVersion: '1', givenAt: new Date(0) };

function at(position: Partial<Position>): string {
  return screenOf({ ...BEFORE, ...position });
}

function detourOf(work: () => void): string | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof ScreenRedirect) return error.path;
    throw error;
  }
}

describe('the place of a journey', () => {
  it.each<[string, string, Partial<Position>]>([
    ['the amount first, while it is the product’s', 'amount', { loanAmountSource: 'DEFAULT' }],
    [
      'the amount, though all else is given',
      'amount',
      { loanAmountSource: 'DEFAULT', consent: CONSENT, missingDetails: [] },
    ],
    ['the consent', 'consent', {}],
    [
      'the consent where the applicant named the amount',
      'consent',
      { loanAmountSource: 'APPLICANT' },
    ],
    ['the missing details after it', 'details', { consent: CONSENT, missingDetails: ['income'] }],
    ['the check when nothing is missing', 'check', { consent: CONSENT, missingDetails: [] }],
    ['the wait once it is confirmed, whatever has been given', 'waiting', { isConfirmed: true }],
  ])('is %s: /hosted/%s', (_, page, position) => {
    expect(at(position)).toBe(`/hosted/${page}`);
  });

  it('of every later state is a screen of its own', () => {
    const later = JOURNEY_STATES.filter((state) => state !== 'INITIATED');
    const places = later.map((state) => at({ state, isConfirmed: true }));
    expect(new Set(places).size).toBe(later.length);
    for (const place of places) expect(place).toMatch(/^\/hosted\/[a-z-]+$/);
  });

  it('lets the screen of the place through, and leads every other one there', () => {
    expect(detourOf(() => requireScreen(BEFORE, '/hosted/consent'))).toBeNull();
    expect(detourOf(() => requireScreen(BEFORE, '/hosted/check'))).toBe('/hosted/consent');
  });
});

describe('a form’s stamp', () => {
  it('lets through what was shown in this state, and leads what was not to where the journey is', () => {
    const posted = (form: string) => {
      const request = { rawBody: Buffer.from(form) } as unknown as Request;
      return detourOf(() => requireStamp({ view: { stamp: 'a' }, request }));
    };
    expect(posted('shown=a')).toBeNull();
    expect(posted('shown=b')).toBe('/hosted');
    expect(posted('')).toBe('/hosted');
  });
});

describe('the count of questions', () => {
  it.each<[string, Pick<HostedJourneyView, 'askedDetails' | 'steps'>, QuestionPage[]]>([
    [
      'without a gap from the consent to the signature, without a page for details that were given',
      { askedDetails: [], steps: ['OFFERS', 'KYC', 'BANK_ACCOUNT', 'MANDATE', 'ESIGN'] },
      ['consent', 'check', 'offers', 'confirm', 'kyc', 'bank-account', 'mandate', 'esign'],
    ],
    [
      'with the page of missing details once, and only the pages of the product',
      { askedDetails: ['name', 'income'], steps: ['OFFERS', 'BRANCH', 'KYC', 'ESIGN'] },
      ['consent', 'details', 'check', 'offers', 'confirm', 'branch', 'kyc', 'esign'],
    ],
  ])('runs %s', (_, view, pages) => {
    expect(pages.map((page) => questionOf(view, page))).toEqual(
      pages.map((__, place) => ({ step: place + 1, of: pages.length })),
    );
    const others = ['details', 'mandate', 'branch'] as const;
    for (const page of others) expect(questionOf(view, page) === null).toBe(!pages.includes(page));
  });
});
