import { Injectable } from '@nestjs/common';
import { v4 as uuidv4 } from 'uuid';
import { KeyDirectory, type PartnerKey } from '../../auth/index.js';
import type { SignedRequest } from '../../consents/index.js';
import { CreateInstantLoanService } from '../../instant-loans/index.js';
import { InitiateJourneyService } from '../../journeys/index.js';
import { Fault, RandomSource } from '../../platform/index.js';
import { type Scenario, SCENARIO_BODIES } from '../../sandbox/index.js';
import { requireScope, type WorkbenchVisitor } from '../access/workbench-visitors.js';

type Body = Record<string, unknown>;

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
  async start(visitor: WorkbenchVisitor, { starts, pan }: Scenario): Promise<StartedScenario> {
    const isInstant = starts === 'INSTANT_LOAN';
    requireScope(visitor, isInstant ? 'instant-loans:write' : 'journeys:write');
    const key = await this.keys.readById(visitor.keyId);
    if (!key) throw new Fault('key_revoked');
    const filled = SCENARIO_BODIES[starts];
    const body = { ...filled, mobile: this.mobile(), customer: { ...filled.customer, pan } };
    return isInstant ? this.startLoan(key, body) : this.startJourney(key, body);
  }

  private async startJourney(key: PartnerKey, body: Body): Promise<StartedScenario> {
    const { answer } = await this.journeys.initiate(key, body, null, this.signedRequest(key));
    return { href: `/workbench/journeys/${answer.journeyId}`, applicantUrl: answer.hostedUrl! };
  }

  private async startLoan(key: PartnerKey, body: Body): Promise<StartedScenario> {
    const { answer } = await this.loans.create(key, body, null, null, this.signedRequest(key));
    return { href: `/workbench/journeys/${answer.journeyId}`, applicantUrl: answer.redirectUrl };
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
