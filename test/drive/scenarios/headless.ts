import {
  loanRequest,
  type LoanRequestOptions,
  payloadOf,
  shortLoanRequest,
  type ActionKind,
} from '../../support/loan-requests.ts';
import type { Initiated, Journey } from '../../support/partner-client.ts';
import { Applicant } from '../applicant.ts';
import type { Drive, Language, Scenario } from '../drive.ts';
import { DECISIONS, JOURNEY_PANS, JOURNEY_PRODUCTS, REDIRECT_STEPS } from '../lists.ts';

interface Plan {
  readonly decisions?: readonly string[];
  readonly accounts?: readonly string[];
  readonly until?: string;
}

export interface DrivenJourney extends Initiated {
  readonly last: Journey;
}

const DAY_SECONDS = 86_400;
const MAX_STEPS = 40;
const POLL_SECONDS = 45;
const MAX_POLLS = 4;

/** Drives a headless journey to its end or to the given action. */
export async function driveHeadless(
  drive: Drive,
  body: object,
  { decisions = [], accounts = [], until }: Plan = {},
): Promise<DrivenJourney> {
  const { partner } = drive;
  const { json } = await partner.initiate(body);
  const { journeyId: id, journeySession: session } = json.data;
  const left = { decisions: [...decisions], accounts: [...accounts] };
  let polls = 0;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    await drive.settle();
    const { data: journey } = (await partner.journey(id, session)).json;
    const { type, category, url } = journey.currentNextAction;
    if (category === 'DONE' || type === until) return { ...json.data, last: journey };
    if (category === 'ACTION') {
      const account = type === 'SUBMIT_BANK_ACCOUNT' ? left.accounts.shift() : undefined;
      const payload = payloadOf(type as ActionKind, journey);
      await partner.action(id, session, type, { ...payload, ...(account && { accNo: account }) });
    } else if (category === 'REDIRECT') {
      const decision = left.decisions.shift();
      if (decision !== undefined) await visit(drive, url!, decision);
      await partner.returned(id, session, type.replace('REDIRECT_TO_', ''));
    } else {
      polls += 1;
      if (polls > MAX_POLLS) return { ...json.data, last: journey };
      await drive.travel(POLL_SECONDS);
    }
  }
  throw new Error(`journey ${id} did not come to an end`);
}

async function visit(drive: Drive, url: string, decision: string): Promise<void> {
  const browser = drive.browser();
  await browser.open(new URL(url).pathname);
  await new Applicant(drive, browser).goOn({
    decisions: [decision],
    until: /^\/returned|^\/sandbox\/partner/,
  });
}

function headless(name: string, options: LoanRequestOptions, plan?: Plan): Scenario {
  return {
    name: `headless/${name}`,
    async play(drive) {
      await driveHeadless(drive, loanRequest({ ...options, mobile: drive.newMobile() }), plan);
    },
  };
}

function abandoned(until: string): Scenario {
  return {
    name: `headless/abandoned/${until}`,
    days: 9,
    async play(drive) {
      const request = loanRequest({ mobile: drive.newMobile() });
      const { journeyId, journeySession } = await driveHeadless(drive, request, { until });
      await drive.travel(8 * DAY_SECONDS);
      await drive.partner.journey(journeyId, journeySession);
    },
  };
}

function stopped(language: Language): Scenario {
  return {
    name: `headless/stopped/${language}`,
    async play(drive) {
      const request = loanRequest({ mobile: drive.newMobile() });
      const plan = { until: 'REDIRECT_TO_KYC' };
      const { journeyId, journeySession, last } = await driveHeadless(drive, request, plan);
      const browser = drive.browser(language);
      await browser.open(new URL(last.currentNextAction.url!).pathname);
      await browser.send303({});
      await browser.open(browser.linkTo(/\/stop$/));
      await browser.send303();
      await drive.partner.journey(journeyId, journeySession);
    },
  };
}

export const HEADLESS: readonly Scenario[] = [
  ...JOURNEY_PRODUCTS.map((productCode) => headless(productCode, { productCode })),
  ...['ONLINE_PERSONAL', 'ONLINE_GOLD'].flatMap((productCode) =>
    JOURNEY_PANS.map(({ pan, outcome }) =>
      headless(`${productCode}/${outcome}`, { productCode, pan }),
    ),
  ),
  ...DECISIONS.flatMap((decision) =>
    REDIRECT_STEPS.map((step, index) =>
      headless(
        `provider/${step}-${decision}`,
        {},
        {
          decisions: [...REDIRECT_STEPS.slice(0, index).map(() => 'approve'), decision, 'approve'],
        },
      ),
    ),
  ),
  headless('account/refused-once', {}, { accounts: ['123456780000'] }),
  headless('account/refused-thrice', {}, { accounts: Array(3).fill('123456780000') as string[] }),
  headless('account/refused-for-good', {}, { accounts: ['123456789999'] }),
  ...['SELECT_OFFER', 'REDIRECT_TO_KYC', 'SUBMIT_BANK_ACCOUNT'].map(abandoned),
  ...(['en', 'hi'] as const).map(stopped),
  {
    name: 'headless/form-B',
    async play(drive) {
      const mobile = drive.newMobile();
      await driveHeadless(drive, { ...shortLoanRequest(), mobile, channel: 'API_HEADLESS' });
    },
  },
];
