import { Injectable } from '@nestjs/common';
import type { SessionRequest } from '../lenders/index.js';
import { Keyring, type Tx } from '../platform/index.js';
import type { PageDecision } from './sandbox-outcomes.js';
import type { SandboxSessionRow, SimulatedAgreement } from './store/sandbox-session.entity.js';
import { SandboxSessionsRepository } from './store/sandbox-sessions.repository.js';

const LINK_PURPOSE = 'sandbox-provider';
const PAYLOAD_PURPOSE = 'sandbox_sessions.pan';

/** A visit to a simulated provider. */
export interface SandboxSession extends Omit<
  SandboxSessionRow,
  'panSealed' | 'decidedAt' | 'createdAt'
> {
  readonly pan: string;
}

/** The simulated providers' own memory. */
@Injectable()
export class SandboxSessions {
  constructor(
    private readonly sessions: SandboxSessionsRepository,
    private readonly keyring: Keyring,
  ) {}

  /** Opens the session of a redirect, or finds it again, and answers the page's token. */
  async open(tx: Tx, request: SessionRequest): Promise<string> {
    await this.sessions.insertOnce(tx, {
      reference: request.reference,
      step: request.step,
      lenderCode: request.lender.code,
      partnerId: request.partnerId,
      subjectId: request.subjectId,
      attempt: request.payload.stepAttempt ?? 1,
      panSealed: this.keyring.seal(request.payload.applicant.pan, PAYLOAD_PURPOSE),
      returnUrl: request.returnUrl,
      agreement: agreementOf(request),
    });
    return this.keyring.signLink(request.reference, LINK_PURPOSE);
  }

  async findByToken(tx: Tx, token: string): Promise<SandboxSession | null> {
    const reference = this.keyring.readLink(token, LINK_PURPOSE);
    if (reference === null) return null;
    const row = await this.sessions.lock(tx, reference);
    return row ? this.toSession(row) : null;
  }

  /** What was decided, 'leave' for a visit without a decision, and when; null when there was no visit. */
  async decisionOn(
    reference: string,
  ): Promise<{ decision: PageDecision; decidedAt: Date | null } | null> {
    const row = await this.sessions.find(reference);
    return row && { decision: row.decision ?? 'leave', decidedAt: row.decidedAt };
  }

  async decide(tx: Tx, reference: string, decision: SandboxSession['decision']): Promise<void> {
    await this.sessions.decide(tx, reference, decision);
  }

  private toSession(row: SandboxSessionRow): SandboxSession {
    const { reference, step, lenderCode, partnerId, subjectId, attempt } = row;
    const { returnUrl, agreement, decision } = row;
    const pan = this.keyring.open(row.panSealed, PAYLOAD_PURPOSE);
    const facts = { reference, step, lenderCode, partnerId, subjectId, attempt };
    return { ...facts, pan, returnUrl, agreement, decision };
  }
}

function agreementOf({ lender, payload }: SessionRequest): SimulatedAgreement {
  return {
    lender: lender.name,
    loanAmount: payload.loanAmount,
    totalPayable: payload.totalPayable ?? null,
    netDisbursed: payload.netDisbursed ?? null,
    keyFactsHash: payload.keyFactsHash ?? null,
  };
}
