import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RedirectStep, SessionRequest } from '../lenders/index.js';
import { Database, Keyring, Tx, withBootLock } from '../platform/index.js';
import type { PageDecision } from './sandbox-outcomes.js';

const LINK_PURPOSE = 'sandbox-provider';
const PAYLOAD_PURPOSE = 'sandbox_sessions.pan';

/** What the loan agreement says, as far as the lender was told: shown where it is signed. */
export interface SimulatedAgreement {
  readonly lender: string;
  /** Paise, both. */
  readonly loanAmount: number;
  readonly netDisbursed: number | null;
  /** SHA-256 of the Key Facts Statement that was agreed to. */
  readonly keyFactsHash: string | null;
}

/** A visit to a simulated provider. */
export interface SandboxSession {
  readonly reference: string;
  readonly step: RedirectStep;
  readonly lenderCode: string;
  readonly partnerId: string;
  readonly subjectId: string;
  readonly attempt: number;
  readonly pan: string;
  readonly returnUrl: string;
  /** null for a visit of before agreements were kept. */
  readonly agreement: SimulatedAgreement | null;
  /** null: visited, without a decision yet. */
  readonly decision: Exclude<PageDecision, 'leave'> | null;
}

interface SessionRow {
  reference: string;
  step: RedirectStep;
  lender_code: string;
  partner_id: string;
  subject_id: string;
  attempt: number;
  pan_sealed: string;
  return_url: string;
  agreement: SimulatedAgreement | null;
  decision: SandboxSession['decision'];
}

/** The simulated providers' own memory, in a table that production never has. */
@Injectable()
export class SandboxSessions implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly keyring: Keyring,
  ) {}

  async onModuleInit(): Promise<void> {
    await withBootLock(this.database.dataSource, async () => {
      await this.database.query(`
        CREATE TABLE IF NOT EXISTS sandbox_sessions (
          reference text PRIMARY KEY,
          step text NOT NULL,
          lender_code text NOT NULL,
          partner_id text NOT NULL,
          subject_id text NOT NULL,
          attempt integer NOT NULL,
          pan_sealed text NOT NULL,
          return_url text NOT NULL,
          decision text,
          created_at timestamptz NOT NULL DEFAULT app_now()
        )`);
      await this.database.query(
        'ALTER TABLE sandbox_sessions ADD COLUMN IF NOT EXISTS agreement jsonb',
      );
    });
  }

  /** Opens the session of a redirect, or finds it again, and answers the page's token. */
  async open(tx: Tx, request: SessionRequest): Promise<string> {
    await tx.execute(
      `INSERT INTO sandbox_sessions (reference, step, lender_code, partner_id, subject_id, attempt,
         pan_sealed, return_url, agreement)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (reference) DO NOTHING`,
      [
        request.reference,
        request.step,
        request.lender.code,
        request.partnerId,
        request.subjectId,
        request.payload.stepAttempt ?? 1,
        this.keyring.seal(request.payload.applicant.pan, PAYLOAD_PURPOSE),
        request.returnUrl,
        JSON.stringify(agreementOf(request)),
      ],
    );
    return this.keyring.signLink(request.reference, LINK_PURPOSE);
  }

  async findByToken(tx: Tx, token: string): Promise<SandboxSession | null> {
    const reference = this.keyring.readLink(token, LINK_PURPOSE);
    if (reference === null) return null;
    const [row] = await tx.query<SessionRow>(
      'SELECT * FROM sandbox_sessions WHERE reference = $1 FOR UPDATE',
      [reference],
    );
    return row ? this.toSession(row) : null;
  }

  /** What was decided; 'leave' for a visit without a decision, null when there was no visit. */
  async decisionOn(reference: string): Promise<PageDecision | null> {
    const [row] = await this.database.query<{ decision: SandboxSession['decision'] }>(
      'SELECT decision FROM sandbox_sessions WHERE reference = $1',
      [reference],
    );
    return row ? (row.decision ?? 'leave') : null;
  }

  async decide(tx: Tx, reference: string, decision: string): Promise<void> {
    await tx.execute('UPDATE sandbox_sessions SET decision = $2 WHERE reference = $1', [
      reference,
      decision,
    ]);
  }

  private toSession(row: SessionRow): SandboxSession {
    return {
      reference: row.reference,
      step: row.step,
      lenderCode: row.lender_code,
      partnerId: row.partner_id,
      subjectId: row.subject_id,
      attempt: row.attempt,
      pan: this.keyring.open(row.pan_sealed, PAYLOAD_PURPOSE),
      returnUrl: row.return_url,
      agreement: row.agreement,
      decision: row.decision,
    };
  }
}

function agreementOf({ lender, payload }: SessionRequest): SimulatedAgreement {
  return {
    lender: lender.name,
    loanAmount: payload.loanAmount,
    netDisbursed: payload.netDisbursed ?? null,
    keyFactsHash: payload.keyFactsHash ?? null,
  };
}
