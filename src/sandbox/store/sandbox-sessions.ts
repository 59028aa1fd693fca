import { Injectable } from '@nestjs/common';
import type { SessionRequest } from '../../lenders/index.js';
import { appNow, Columns, Database, Keyring, type Tx } from '../../platform/index.js';
import type { PageDecision } from '../reserved-pans.js';
import { SandboxSessionRow, type SimulatedAgreement } from './sandbox.entity.js';

const LINK_PURPOSE = 'sandbox-provider';
const PAYLOAD_PURPOSE = 'sandbox_sessions.pan';
const columns = new Columns(SandboxSessionRow);

export interface SandboxSession extends Omit<
  SandboxSessionRow,
  'panSealed' | 'decidedAt' | 'createdAt'
> {
  readonly pan: string;
}

@Injectable()
export class SandboxSessions {
  static readonly PERSONAL_COLUMNS = columns.qualified(['panSealed']);

  constructor(
    private readonly database: Database,
    private readonly keyring: Keyring,
  ) {}

  /** Opens a redirect's session once; returns the page's token. */
  async open(tx: Tx, request: SessionRequest): Promise<string> {
    await tx.insertOnce(SandboxSessionRow, {
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
    const row = await tx
      .repository(SandboxSessionRow)
      .findOne({ where: { reference }, lock: { mode: 'pessimistic_write' } });
    if (!row) return null;
    const { panSealed, decidedAt: _decided, createdAt: _created, ...session } = row;
    return { ...session, pan: this.keyring.open(panSealed, PAYLOAD_PURPOSE) };
  }

  /** 'leave' for a visit without a decision; null without a visit. */
  async decisionOn(
    reference: string,
  ): Promise<{ decision: PageDecision; decidedAt: Date | null } | null> {
    const row = await this.database.with(SandboxSessionRow, (sessions) =>
      sessions.findOneBy({ reference }),
    );
    return row && { decision: row.decision ?? 'leave', decidedAt: row.decidedAt };
  }

  async decide(tx: Tx, reference: string, decision: SandboxSession['decision']): Promise<void> {
    await tx.update(SandboxSessionRow, { reference }, { decision, decidedAt: appNow });
  }

  async erase(tx: Tx, partnerId: string, subjectId: string): Promise<number> {
    const { affected } = await tx.repository(SandboxSessionRow).delete({ partnerId, subjectId });
    return affected ?? 0;
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
