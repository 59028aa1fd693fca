import type { RedirectStep } from '../journey-steps/index.js';

type SandboxOutcome =
  | 'EVERY_LENDER_DECLINES'
  | 'SLOW_LENDERS'
  | 'ONE_OFFER'
  | 'KYC_FAILS_ONCE'
  | 'KYC_REFUSED'
  | 'MANDATE_FAILS_ONCE'
  | 'ESIGN_REFUSED'
  | 'SLOW_DISBURSEMENT'
  | 'LENDERS_FAIL_TWICE'
  | 'PAYMENT_FAILS'
  | 'SMS_DOWN'
  | 'SLOW_PROVIDERS'
  | 'DECISION_DECLINED';

export interface ReservedPan {
  readonly pan: string;
  readonly outcome: SandboxOutcome;
  readonly happens: string;
  readonly starts: 'JOURNEY' | 'INSTANT_LOAN';
  readonly lookAt: string;
}

/** Tests compare docs/partners/testing.md and the client's `SANDBOX_PANS` with this list. */
export const RESERVED_PANS: readonly ReservedPan[] = [
  {
    pan: 'SANDX0001A',
    outcome: 'EVERY_LENDER_DECLINES',
    happens: 'every lender declines',
    starts: 'JOURNEY',
    lookAt:
      'Confirm the details. Each lender’s decline is on the timeline, and the journey ends as REJECTED.',
  },
  {
    pan: 'SANDX0002A',
    outcome: 'SLOW_LENDERS',
    happens:
      'lenders take 10 seconds and one never answers: offers are available after 120 seconds',
    starts: 'JOURNEY',
    lookAt:
      'Confirm the details. The lenders’ answers are on the timeline after 10 seconds; the journey waits for the silent lender until its deadline. Moving time by an hour ends the wait.',
  },
  {
    pan: 'SANDX0003A',
    outcome: 'ONE_OFFER',
    happens: 'exactly one offer',
    starts: 'JOURNEY',
    lookAt:
      'Confirm the details. One lender makes an offer; the others’ declines are on the timeline.',
  },
  {
    pan: 'SANDX0004A',
    outcome: 'KYC_FAILS_ONCE',
    happens: 'KYC fails once, then passes',
    starts: 'JOURNEY',
    lookAt:
      'Go on to KYC and approve it. The journey stays at KYC with one failed attempt; the second passes.',
  },
  {
    pan: 'SANDX0005A',
    outcome: 'KYC_REFUSED',
    happens: 'KYC is refused permanently',
    starts: 'JOURNEY',
    lookAt: 'Go on to KYC and approve it. The lender refuses, and another offer can be chosen.',
  },
  {
    pan: 'SANDX0006A',
    outcome: 'MANDATE_FAILS_ONCE',
    happens: 'the mandate fails once',
    starts: 'JOURNEY',
    lookAt: 'Go on to the mandate and approve it. The first attempt fails; the second passes.',
  },
  {
    pan: 'SANDX0007A',
    outcome: 'ESIGN_REFUSED',
    happens: 'eSign is declined permanently',
    starts: 'JOURNEY',
    lookAt: 'Go on to eSign and approve it. The lender refuses there.',
  },
  {
    pan: 'SANDX0008A',
    outcome: 'SLOW_DISBURSEMENT',
    happens: 'the disbursement takes 30 seconds',
    starts: 'JOURNEY',
    lookAt:
      'Go on to the signature. The journey waits at DISBURSEMENT_PENDING for 30 seconds, then it is SANCTIONED.',
  },
  {
    pan: 'SANDX0009A',
    outcome: 'LENDERS_FAIL_TWICE',
    happens: 'lenders answer 503 twice, then offer',
    starts: 'JOURNEY',
    lookAt: 'Confirm the details. Offers arrive a little later: the lenders are asked three times.',
  },
  {
    pan: 'SANDX0010A',
    outcome: 'PAYMENT_FAILS',
    happens: 'the payment of an instant loan fails',
    starts: 'INSTANT_LOAN',
    lookAt: 'Choose an offer and pay. Every payment ends as PAYMENT_FAILED, and can be retried.',
  },
  {
    pan: 'SANDX0011A',
    outcome: 'SMS_DOWN',
    happens: 'the SMS gateway is down',
    starts: 'JOURNEY',
    lookAt:
      'Open the link and ask for the code. No text arrives in the inbox, and the page says so.',
  },
  {
    pan: 'SANDX0012A',
    outcome: 'SLOW_PROVIDERS',
    happens: 'KYC, mandate and eSign take 10 seconds each',
    starts: 'JOURNEY',
    lookAt:
      'Go on to KYC and approve it. The service asks the lender until it answers, after 10 seconds.',
  },
  {
    pan: 'SANDX0013A',
    outcome: 'DECISION_DECLINED',
    happens: 'an instant loan is declined after its payment',
    starts: 'INSTANT_LOAN',
    lookAt: 'Choose an offer and pay. The loan is REJECTED, and the fee goes back.',
  },
];

type ScenarioStart = ReservedPan['starts'] | 'GOLD_LOAN';

export interface Scenario extends Pick<ReservedPan, 'pan' | 'happens' | 'lookAt'> {
  readonly name: string;
  readonly starts: ScenarioStart;
}

/** Every check passes with it. */
const ORDINARY_PAN = 'ABCDE1234F';

function scenario(
  starts: ScenarioStart,
  outcome: string,
  facts: Omit<Scenario, 'name' | 'starts'>,
): Scenario {
  const name = `${starts}-${outcome}`.toLowerCase().replaceAll('_', '-');
  const { pan, happens, lookAt } = facts;
  return { name, starts, pan, happens, lookAt };
}

function ofPan(starts: ScenarioStart, outcome: SandboxOutcome, lookAt?: string): Scenario {
  const reserved = RESERVED_PANS.find((one) => one.outcome === outcome)!;
  return scenario(starts, outcome, { ...reserved, ...(lookAt && { lookAt }) });
}

function ofPans(starts: ReservedPan['starts']): Scenario[] {
  const reserved = RESERVED_PANS.filter((one) => one.starts === starts);
  return reserved.map(({ outcome }) => ofPan(starts, outcome));
}

const ACCOUNT_REFUSED = {
  pan: ORDINARY_PAN,
  happens: 'the bank account is refused permanently',
  lookAt: 'Go on to the bank account and enter a number that ends in 9999.',
};

/** For the workbench and the Node client; `npm run clients:generate` writes the client's copy. */
export const SCENARIOS: readonly Scenario[] = [
  scenario('JOURNEY', 'APPROVED', {
    pan: ORDINARY_PAN,
    happens: 'a journey in which every step passes',
    lookAt: 'Complete all screens. The journey ends as SANCTIONED, and each move has its event.',
  }),
  ...ofPans('JOURNEY'),
  scenario('JOURNEY', 'ACCOUNT_REFUSED', ACCOUNT_REFUSED),
  scenario('GOLD_LOAN', 'APPROVED', {
    pan: ORDINARY_PAN,
    happens: 'a gold loan in which every step passes',
    lookAt: 'Complete all screens; one asks for the branch. The journey ends as SANCTIONED.',
  }),
  ofPan('GOLD_LOAN', 'EVERY_LENDER_DECLINES'),
  ofPan('GOLD_LOAN', 'KYC_REFUSED'),
  scenario('GOLD_LOAN', 'ACCOUNT_REFUSED', ACCOUNT_REFUSED),
  scenario('INSTANT_LOAN', 'APPROVED', {
    pan: ORDINARY_PAN,
    happens: 'an instant loan that is paid for and accepted',
    lookAt: 'Choose an offer and pay. The loan is SANCTIONED.',
  }),
  ...ofPans('INSTANT_LOAN'),
  ofPan('INSTANT_LOAN', 'EVERY_LENDER_DECLINES', 'Open the link. The loan is REJECTED.'),
];

const CUSTOMER = {
  fullName: 'Asha Verma',
  dob: '1990-04-15',
  gender: 'FEMALE',
  employmentType: 'salaried',
  monthlyIncome: 60_000,
  companyName: 'Verma Textiles',
  pinCode: '560001',
  city: 'Bengaluru',
  state: 'Karnataka',
  addressL1: '12 Residency Road',
};
const JOURNEY = { channel: 'API_HOSTED', loanAmount: 200_000, customer: CUSTOMER };

/** Bodies of the calls, without mobile number and PAN. */
export const SCENARIO_BODIES = {
  JOURNEY: { ...JOURNEY, productCode: 'ONLINE_PERSONAL' },
  GOLD_LOAN: {
    ...JOURNEY,
    productCode: 'ONLINE_GOLD',
    goldLoanDetails: { jewellaryList: ['necklace', 'two bangles'], grams: '42.5' },
  },
  INSTANT_LOAN: { customer: { firstName: 'Asha' } },
} as const;

const RESERVED_PAN = /^SANDX(\d{4})[A-Z]$/;

const BY_NUMBER = new Map(
  RESERVED_PANS.map(({ pan, outcome }) => [RESERVED_PAN.exec(pan)![1], outcome] as const),
);

/** Null: every check passes. */
export function sandboxOutcome(pan: string): SandboxOutcome | null {
  const number = RESERVED_PAN.exec(pan)?.[1];
  return number === undefined ? null : (BY_NUMBER.get(number) ?? null);
}

export type PageDecision = 'approve' | 'decline' | 'leave';

type SimulatedVerdict = 'PASSED' | 'FAILED' | 'REFUSED' | 'UNDECIDED';

/**
 * A return without a visit passes, since partners' tests have no browser. An unfinished visit is
 * undecided.
 * @param decision null: no visit; 'leave': a visit without a decision
 */
export function simulatedVerdict(
  pan: string,
  step: RedirectStep,
  attempt: number,
  decision: PageDecision | null,
): SimulatedVerdict {
  if (decision === 'leave') return 'UNDECIDED';
  const outcome = sandboxOutcome(pan);
  if (step === 'KYC' && outcome === 'KYC_REFUSED') return 'REFUSED';
  if (step === 'ESIGN' && outcome === 'ESIGN_REFUSED') return 'REFUSED';
  if (attempt === 1 && step === 'KYC' && outcome === 'KYC_FAILS_ONCE') return 'FAILED';
  if (attempt === 1 && step === 'MANDATE' && outcome === 'MANDATE_FAILS_ONCE') return 'FAILED';
  return decision === 'decline' ? 'FAILED' : 'PASSED';
}
