import { Injectable } from '@nestjs/common';
import { v4 as uuidv4 } from 'uuid';
import { KeyDirectory, type PartnerKey } from '../../auth/index.js';
import type { SignedRequest } from '../../consents/index.js';
import { CreateInstantLoanService } from '../../instant-loans/index.js';
import { InitiateJourneyService } from '../../journeys/index.js';
import { Fault, RandomSource } from '../../platform/index.js';
import { RESERVED_PANS, type ReservedPan } from '../../sandbox/index.js';
import { requireScope, type WorkbenchVisitor } from '../access/workbench-visitors.js';

interface Scenario extends Pick<ReservedPan, 'pan' | 'happens' | 'starts' | 'lookAt'> {
  readonly name: string;
  readonly title: string;
  readonly isInstant: boolean;
}

/** Every check passes with it. */
const ORDINARY_PAN = 'ABCDE1234F';

const PASSES: readonly Omit<Scenario, 'name' | 'title' | 'isInstant'>[] = [
  {
    pan: ORDINARY_PAN,
    happens: 'a journey in which every step passes',
    starts: 'JOURNEY',
    lookAt: 'Complete all screens. The journey ends as SANCTIONED, and each move has its event.',
  },
  {
    pan: ORDINARY_PAN,
    happens: 'an instant loan that is paid for and accepted',
    starts: 'INSTANT_LOAN',
    lookAt: 'Choose an offer and pay. The loan is SANCTIONED.',
  },
];

export const SCENARIOS: readonly Scenario[] = [...PASSES, ...RESERVED_PANS].map(
  ({ pan, happens, starts, lookAt }) => {
    const isInstant = starts === 'INSTANT_LOAN';
    const name = `${isInstant ? 'instant-loan' : 'journey'}-${pan.toLowerCase()}`;
    return { name, title: sentence(happens), pan, happens, starts, lookAt, isInstant };
  },
);

/** `eSign` keeps its letters. */
function sentence(text: string): string {
  return /^[a-z][A-Z]/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

interface StartedScenario {
  readonly href: string;
  readonly applicantUrl: string;
}

/** Acts as the partner's own call with the visitor's key. In the sandbox only. */
@Injectable()
export class StartScenario {
  constructor(
    private readonly keys: KeyDirectory,
    private readonly journeys: InitiateJourneyService,
    private readonly loans: CreateInstantLoanService,
    private readonly random: RandomSource,
  ) {}

  /** @throws Fault scope_missing, and those of the API call */
  async start(visitor: WorkbenchVisitor, scenario: Scenario): Promise<StartedScenario> {
    const scope = scenario.isInstant ? 'instant-loans:write' : 'journeys:write';
    requireScope(visitor, scope);
    const key = await this.keys.readById(visitor.keyId);
    if (!key) throw new Fault('key_revoked');
    return scenario.isInstant ? this.startLoan(key, scenario) : this.startJourney(key, scenario);
  }

  private async startJourney(key: PartnerKey, { pan }: Scenario): Promise<StartedScenario> {
    const body = {
      channel: 'API_HOSTED',
      productCode: 'ONLINE_PERSONAL',
      mobile: this.mobile(),
      loanAmount: 200_000,
      customer: { ...APPLICANT, pan },
    };
    const { answer } = await this.journeys.initiate(key, body, null, this.signedRequest(key));
    return { href: `/workbench/journeys/${answer.journeyId}`, applicantUrl: answer.hostedUrl! };
  }

  private async startLoan(key: PartnerKey, { pan }: Scenario): Promise<StartedScenario> {
    const body = { mobile: this.mobile(), customer: { pan, firstName: 'Asha' } };
    const { answer } = await this.loans.create(key, body, null, null, this.signedRequest(key));
    return {
      href: `/workbench/journeys/${answer.journeyId}`,
      applicantUrl: answer.redirectUrl,
    };
  }

  /** New each time: SMS to a number are limited. */
  private mobile(): string {
    return `9${String(Math.floor(this.random.fraction() * 1e9)).padStart(9, '0')}`;
  }

  /** No request was signed, so the nonce is random. */
  private signedRequest({ id }: PartnerKey): SignedRequest {
    return { keyId: id, nonce: uuidv4({ random: this.random.bytes(16) }) };
  }
}

const APPLICANT = {
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
