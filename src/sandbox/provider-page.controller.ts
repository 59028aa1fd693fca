import { Controller, Get, Param, Post, Redirect, Render, Req } from '@nestjs/common';
import { LenderInbox, type RedirectStep } from '../lenders/index.js';
import { Database, Fault, type RawRequest, type Tx } from '../platform/index.js';
import { verdictAnswer } from './sandbox-lender.js';
import { type PageDecision, simulatedVerdict } from './sandbox-outcomes.js';
import { type SandboxSession, SandboxSessions } from './sandbox-sessions.js';

const TEXTS: Record<RedirectStep, { title: string; explanation: string; approveLabel: string }> = {
  KYC: {
    title: 'Verify your identity',
    explanation: 'The provider would check your Aadhaar or your documents here.',
    approveLabel: 'Verify me',
  },
  MANDATE: {
    title: 'Allow the instalments to be collected',
    explanation: 'Your bank would ask you to allow the monthly collection (eNACH) here.',
    approveLabel: 'Allow',
  },
  ESIGN: {
    title: 'Sign the loan agreement',
    explanation: 'You would read the agreement and sign it with a one-time code here.',
    approveLabel: 'Sign',
  },
};

interface ProviderPage {
  readonly title: string;
  readonly explanation: string;
  readonly approveLabel: string;
  readonly action: string;
  readonly decided: boolean;
  readonly returnUrl: string;
}

/** The simulated providers' page: approve, decline or leave. Mounted in the sandbox alone. */
@Controller('sandbox/provider')
export class ProviderPageController {
  constructor(
    private readonly database: Database,
    private readonly sessions: SandboxSessions,
    private readonly inbox: LenderInbox,
  ) {}

  @Get(':token')
  @Render('sandbox-provider')
  async show(@Param('token') token: string): Promise<ProviderPage> {
    const session = await this.database.transaction((tx) => this.find(tx, token));
    return {
      ...TEXTS[session.step],
      action: `/sandbox/provider/${token}`,
      decided: session.decision !== null,
      returnUrl: session.returnUrl,
    };
  }

  @Post(':token')
  @Redirect()
  async decide(
    @Param('token') token: string,
    @Req() request: RawRequest,
  ): Promise<{ url: string; statusCode: number }> {
    const decision = readDecision(request);
    const returnUrl = await this.database.transaction(async (tx) => {
      const session = await this.find(tx, token);
      if (decision !== 'leave' && session.decision === null) {
        await this.callBack(tx, session, decision);
      }
      return session.returnUrl;
    });
    return { url: returnUrl, statusCode: 303 };
  }

  /** The provider's callback: verified, it goes into the inbox as every lender's answer does. */
  private async callBack(tx: Tx, session: SandboxSession, decision: PageDecision): Promise<void> {
    await this.sessions.decide(tx, session.reference, decision);
    const verdict = simulatedVerdict(session.pan, session.step, session.attempt, decision);
    if (verdict === 'UNDECIDED') return;
    await this.inbox.receive(tx, {
      lenderCode: session.lenderCode,
      partnerId: session.partnerId,
      subjectId: session.subjectId,
      kind: session.step,
      reference: session.reference,
      ...verdictAnswer(session.reference, verdict),
    });
  }

  private async find(tx: Tx, token: string): Promise<SandboxSession> {
    const session = await this.sessions.findByToken(tx, token);
    if (!session) throw new Fault('link_not_found');
    return session;
  }
}

function readDecision(request: RawRequest): PageDecision {
  const decision = new URLSearchParams(request.rawBody.toString('utf8')).get('decision');
  if (decision === 'approve' || decision === 'decline' || decision === 'leave') return decision;
  throw new Fault('malformed_request');
}
