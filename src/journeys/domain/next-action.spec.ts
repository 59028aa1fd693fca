import { describe, expect, it } from 'vitest';
import { REDIRECT_DEFINITIONS } from '../../journey-steps/index.js';
import { JOURNEY_STATES, type JourneyState } from './journey-state.js';
import { nextActionOf } from './next-action.js';

const LINK = 'https://service.example/r/token';
const OVER: JourneyState[] = ['SANCTIONED', 'REJECTED', 'ABANDONED'];

const headless = { channel: 'API_HEADLESS', isDeciding: false } as const;
const hosted = { channel: 'API_HOSTED', isDeciding: false } as const;

// Decisions §6, row by row.
const PLAIN: [JourneyState, string, string][] = [
  ['INITIATED', 'POLL_LENDER_OFFERS', 'POLL'],
  ['OFFERS_RECEIVED', 'SELECT_OFFER', 'ACTION'],
  ['OFFER_SELECTED', 'SELECT_GOLD_LOAN_BRANCH', 'ACTION'],
  ['BANK_ACCOUNT_PENDING', 'SUBMIT_BANK_ACCOUNT', 'ACTION'],
  ['DISBURSEMENT_PENDING', 'POLL_DISBURSEMENT', 'POLL'],
  ['SANCTIONED', 'JOURNEY_COMPLETED', 'DONE'],
  ['REJECTED', 'JOURNEY_REJECTED', 'DONE'],
  ['ABANDONED', 'JOURNEY_ABANDONED', 'DONE'],
];

const REDIRECTS: [JourneyState, string, string][] = [
  ['FEE_PENDING', 'REDIRECT_TO_FEE', 'POLL_FEE_STATUS'],
  ...REDIRECT_DEFINITIONS.map(({ state, name }): [JourneyState, string, string] => [
    state,
    `REDIRECT_TO_${name}`,
    `POLL_${name}_STATUS`,
  ]),
];

describe('the next action of a headless journey', () => {
  it.each(PLAIN)('in %s is %s, a %s, and has no url', (state, type, category) => {
    expect(nextActionOf({ ...headless, state }, LINK)).toEqual({ type, category });
  });

  it.each(REDIRECTS)('in %s is %s with its url, or %s while the provider decides', (...row) => {
    const [state, redirect, poll] = row;
    const expected = { type: redirect, category: 'REDIRECT', url: LINK };
    expect(nextActionOf({ ...headless, state }, LINK)).toEqual(expected);
    expect(nextActionOf({ ...headless, state })).not.toHaveProperty('url');
    const deciding = nextActionOf({ ...headless, state, isDeciding: true }, LINK);
    expect(deciding).toEqual({ type: poll, category: 'POLL' });
  });

  it('is known for every state there is', () => {
    const states = [...PLAIN, ...REDIRECTS].map(([state]) => state);
    // Only hosted journeys decide.
    states.push('DECISION_PENDING');
    expect(states.toSorted()).toEqual(JOURNEY_STATES.toSorted());
  });
});

describe('the next action of a hosted journey', () => {
  it('is to wait in every state until it is over', () => {
    for (const state of JOURNEY_STATES.filter((one) => !OVER.includes(one))) {
      for (const isDeciding of [false, true]) {
        expect(nextActionOf({ ...hosted, state, isDeciding }, LINK)).toEqual({
          type: 'WAITING_FOR_REDIRECT',
          category: 'WAIT',
        });
      }
    }
  });

  it.each(PLAIN.filter(([state]) => OVER.includes(state)))(
    'in %s is %s, a %s: the journey is over',
    (state, type, category) => {
      expect(nextActionOf({ ...hosted, state }, LINK)).toEqual({ type, category });
    },
  );
});
