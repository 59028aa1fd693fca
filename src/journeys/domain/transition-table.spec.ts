import { describe, expect, it } from 'vitest';
import type { JourneyState } from './journey-state.js';
import { type Transition, transition, TRANSITIONS, type Trigger } from './transition-table.js';
import { type JourneyStep, REDIRECT_DEFINITIONS } from '../../journey-steps/index.js';

// The table of decisions §6, written a second time.
const PLAIN_STEPS: JourneyStep[] = [
  'OFFERS',
  'KYC',
  'BANK_ACCOUNT',
  'MANDATE',
  'ESIGN',
  'DISBURSEMENT',
];
const GOLD_STEPS: JourneyStep[] = [
  'OFFERS',
  'BRANCH',
  'KYC',
  'BANK_ACCOUNT',
  'ESIGN',
  'DISBURSEMENT',
];

const FEE_STEPS: JourneyStep[] = ['OFFERS', 'FEE', 'KYC', 'BANK_ACCOUNT', 'ESIGN', 'DISBURSEMENT'];
const INSTANT_STEPS: JourneyStep[] = ['OFFERS', 'FEE', 'DECISION'];

const TRIGGERS = new Set(TRANSITIONS.map(({ trigger }) => trigger));

type Row = [JourneyState, Trigger, JourneyState, string?, string?, string[]?];

function rejects(from: JourneyState, trigger: Trigger, reason: string, milestones?: string[]): Row {
  return [from, trigger, 'REJECTED', 'journey.rejected', reason, milestones];
}

function unpaid(from: JourneyState): Row {
  return [from, 'FEE_UNPAID', 'ABANDONED', 'journey.abandoned', 'PAYMENT_EXPIRED'];
}

function beforeMoney(state: JourneyState, isChosen: boolean): Row[] {
  const event = 'journey.abandoned';
  const ends: Row[] = [
    [state, 'WENT_IDLE', 'ABANDONED', event],
    [state, 'CONSENT_WITHDRAWN', 'ABANDONED', event, 'CONSENT_WITHDRAWN'],
  ];
  return isChosen ? [[state, 'OFFER_LET_GO', 'OFFERS_RECEIVED'], ...ends] : ends;
}

const CHOSEN: JourneyState[] = ['KYC_PENDING', 'BANK_ACCOUNT_PENDING', 'ESIGN_PENDING'];

const OFFERS: Row[] = [
  [
    'INITIATED',
    'OFFERS_ARRIVED',
    'OFFERS_RECEIVED',
    'journey.offers_received',
    undefined,
    ['OFFERS_READY'],
  ],
  ['INITIATED', 'OFFERS_OPENED', 'OFFERS_RECEIVED', 'journey.offers_received'],
  rejects('INITIATED', 'LENDERS_DECLINED', 'NO_OFFERS'),
  rejects('INITIATED', 'LENDERS_SILENT', 'LENDERS_UNAVAILABLE'),
  ['OFFERS_RECEIVED', 'OFFERS_RAN_OUT', 'INITIATED'],
  unpaid('OFFERS_RECEIVED'),
  ...beforeMoney('INITIATED', false),
  ...beforeMoney('OFFERS_RECEIVED', false),
];

const SHARED: Row[] = [
  ...OFFERS,
  ['KYC_PENDING', 'KYC_PASSED', 'BANK_ACCOUNT_PENDING', 'journey.kyc_done'],
  rejects('KYC_PENDING', 'KYC_REFUSED', 'KYC_FAILED', ['KYC_FAILED']),
  rejects('BANK_ACCOUNT_PENDING', 'ACCOUNT_REFUSED', 'BANK_ACCOUNT_FAILED'),
  ['ESIGN_PENDING', 'ESIGN_PASSED', 'DISBURSEMENT_PENDING', 'journey.esign_done'],
  rejects('ESIGN_PENDING', 'ESIGN_REFUSED', 'ESIGN_DECLINED'),
  [
    'DISBURSEMENT_PENDING',
    'PAID_OUT',
    'SANCTIONED',
    'journey.completed',
    undefined,
    ['MONEY_PAID', 'COOLING_OFF_ENDING'],
  ],
  rejects('DISBURSEMENT_PENDING', 'PAYOUT_REFUSED', 'DISBURSEMENT_FAILED'),
  ...CHOSEN.flatMap((state) => beforeMoney(state, true)),
];

const PLAIN_ONLY: Row[] = [
  ['OFFERS_RECEIVED', 'OFFER_SELECTED', 'KYC_PENDING', 'journey.offer_selected'],
  ['BANK_ACCOUNT_PENDING', 'ACCOUNT_ACCEPTED', 'MANDATE_PENDING'],
  ['MANDATE_PENDING', 'MANDATE_PASSED', 'ESIGN_PENDING', 'journey.enach_done'],
  rejects('MANDATE_PENDING', 'MANDATE_REFUSED', 'MANDATE_FAILED'),
  ...beforeMoney('MANDATE_PENDING', true),
];

const GOLD_ONLY: Row[] = [
  ['OFFERS_RECEIVED', 'OFFER_SELECTED', 'OFFER_SELECTED', 'journey.offer_selected'],
  ['OFFER_SELECTED', 'BRANCH_SELECTED', 'KYC_PENDING'],
  ...beforeMoney('OFFER_SELECTED', true),
  ['BANK_ACCOUNT_PENDING', 'ACCOUNT_ACCEPTED', 'ESIGN_PENDING'],
];

const FEE: Row[] = [
  ['OFFERS_RECEIVED', 'OFFER_SELECTED', 'FEE_PENDING', 'journey.offer_selected'],
  unpaid('FEE_PENDING'),
  ...beforeMoney('FEE_PENDING', true),
];

const FEE_ONLY: Row[] = [
  ...FEE,
  ['FEE_PENDING', 'FEE_PAID', 'KYC_PENDING'],
  ['BANK_ACCOUNT_PENDING', 'ACCOUNT_ACCEPTED', 'ESIGN_PENDING'],
];

const INSTANT: Row[] = [
  ...OFFERS,
  ...FEE,
  ['FEE_PENDING', 'FEE_PAID', 'DECISION_PENDING'],
  ['DECISION_PENDING', 'LOAN_SANCTIONED', 'SANCTIONED'],
  rejects('DECISION_PENDING', 'LOAN_DECLINED', 'LOAN_DECLINED'),
];

const PLAIN = [...SHARED, ...PLAIN_ONLY];
const GOLD = [...SHARED, ...GOLD_ONLY];
const WITH_FEE = [...SHARED, ...FEE_ONLY];

const PRODUCTS: { product: string; steps: JourneyStep[]; rows: Row[] }[] = [
  { product: 'a personal loan', steps: PLAIN_STEPS, rows: PLAIN },
  { product: 'a gold loan', steps: GOLD_STEPS, rows: GOLD },
  { product: 'one with a fee', steps: FEE_STEPS, rows: WITH_FEE },
  { product: 'an instant loan', steps: INSTANT_STEPS, rows: INSTANT },
];

function tableOf(rows: Row[]): Map<string, Transition> {
  return new Map(
    rows.map(([from, trigger, to, event, reason, milestones]) => [
      `${from} ${trigger}`,
      { to, event, reason, milestones } as Transition,
    ]),
  );
}

describe.each(PRODUCTS)('the transition table of $product', ({ steps, rows }) => {
  it('makes the moves of the decisions and no other move, whatever the state and the trigger', () => {
    const table = tableOf(rows);
    const reached = new Set<JourneyState>(['INITIATED']);
    for (const { to } of table.values()) reached.add(to);
    const moves = [...reached].flatMap((state) =>
      [...TRIGGERS].flatMap((trigger) => {
        const move = transition(state, trigger, steps);
        return move ? [[`${state} ${trigger}`, move] as const] : [];
      }),
    );
    expect(new Map(moves)).toEqual(table);
  });
});

const ENDINGS: Trigger[] = ['OFFER_LET_GO', 'CONSENT_WITHDRAWN', 'WENT_IDLE'];

/** Redirect steps added after the decisions' table. */
const LATER = REDIRECT_DEFINITIONS.filter(({ state }) => PLAIN.every(([from]) => from !== state));

describe('the transition table as a whole', () => {
  it('has no rule that is not exercised here, and none twice', () => {
    const pairs = TRANSITIONS.map(({ from, trigger }) => `${from} ${trigger}`);
    expect(new Set(pairs).size).toBe(pairs.length);
    const expected = new Set(
      [PLAIN, GOLD, WITH_FEE, INSTANT].flatMap((rows) => [...tableOf(rows).keys()]),
    );
    for (const { state, passed, refused } of LATER) {
      for (const trigger of [passed, refused, ...ENDINGS]) expected.add(`${state} ${trigger}`);
    }
    expect(pairs.toSorted()).toEqual([...expected].toSorted());
  });

  it('has a redirect step pass, be refused with its reason, and be abandoned', () => {
    for (const definition of REDIRECT_DEFINITIONS) {
      const { name, state, passed, refused, event, reason } = definition;
      const noted: readonly string[] = definition.failureMilestones;
      const steps: JourneyStep[] = ['OFFERS', name, 'DISBURSEMENT'];
      expect(transition(state, passed, steps)).toEqual({
        to: 'DISBURSEMENT_PENDING',
        event: event.name,
      });
      const milestones = noted.length > 0 ? noted : undefined;
      const rejected = { to: 'REJECTED', event: 'journey.rejected', reason, milestones };
      expect(transition(state, refused, steps)).toEqual(rejected);
      expect(transition(state, 'WENT_IDLE', steps)?.to).toBe('ABANDONED');
    }
  });

  it('makes no move to a next step that the journey does not have', () => {
    expect(transition('MANDATE_PENDING', 'MANDATE_PASSED', GOLD_STEPS)).toBeNull();
    expect(transition('OFFER_SELECTED', 'BRANCH_SELECTED', PLAIN_STEPS)).toBeNull();
    expect(transition('ESIGN_PENDING', 'ESIGN_PASSED', ['OFFERS', 'KYC', 'ESIGN'])).toBeNull();
  });

  it('keeps to the list that the journey started with, whatever the product has now', () => {
    const short: JourneyStep[] = ['OFFERS', 'KYC', 'DISBURSEMENT'];
    expect(transition('KYC_PENDING', 'KYC_PASSED', short)?.to).toBe('DISBURSEMENT_PENDING');
  });
});
