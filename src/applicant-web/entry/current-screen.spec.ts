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
  it('is the amount first, while it is the product’s default', () => {
    expect(at({ loanAmountSource: 'DEFAULT' })).toBe('/hosted/amount');
    expect(at({ loanAmountSource: 'DEFAULT', consent: CONSENT, missingDetails: [] })).toBe(
      '/hosted/amount',
    );
    for (const loanAmountSource of ['PARTNER', 'APPLICANT'] as const) {
      expect(at({ loanAmountSource })).toBe('/hosted/consent');
    }
  });

  it('before the lenders is the consent, then the missing details, then the check', () => {
    expect(at({})).toBe('/hosted/consent');
    expect(at({ consent: CONSENT })).toBe('/hosted/details');
    expect(at({ consent: CONSENT, missingDetails: ['income'] })).toBe('/hosted/details');
    expect(at({ consent: CONSENT, missingDetails: [] })).toBe('/hosted/check');
  });

  it('once it is confirmed is the wait, whatever has been given since', () => {
    expect(at({ isConfirmed: true })).toBe('/hosted/waiting');
  });

  it('of every state is a screen of its own', () => {
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

const PERSONAL: Pick<HostedJourneyView, 'askedDetails' | 'steps'> = {
  askedDetails: [],
  steps: ['OFFERS', 'KYC', 'BANK_ACCOUNT', 'MANDATE', 'ESIGN', 'DISBURSEMENT'],
};
const GOLD: Pick<HostedJourneyView, 'askedDetails' | 'steps'> = {
  askedDetails: ['name', 'income'],
  steps: ['OFFERS', 'BRANCH', 'KYC', 'BANK_ACCOUNT', 'ESIGN', 'DISBURSEMENT'],
};

function placesOf(view: typeof PERSONAL, pages: readonly QuestionPage[]): string[] {
  return pages.map((page) => {
    const count = questionOf(view, page);
    return `${count?.step} of ${count?.of}`;
  });
}

describe('the count of questions', () => {
  it('runs from the consent to the signature, without a gap', () => {
    expect(
      placesOf(PERSONAL, [
        'consent',
        'check',
        'offers',
        'confirm',
        'kyc',
        'bank-account',
        'mandate',
        'esign',
      ]),
    ).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((step) => `${step} of 8`));
  });

  it('counts the page of missing details once, and only the pages of the product', () => {
    expect(
      placesOf(GOLD, ['consent', 'details', 'check', 'offers', 'branch', 'kyc', 'esign']),
    ).toEqual([1, 2, 3, 4, 6, 7, 9].map((step) => `${step} of 9`));
  });

  it('leaves out the page of details where the partner gave them all', () => {
    expect(questionOf(PERSONAL, 'details')).toBeNull();
  });
});
