import { Controller, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import { redirectDefinition } from '../journey-steps/index.js';
import { LenderInbox } from '../lenders/index.js';
import type { Paise } from '../loans/index.js';
import {
  AnswersWithScreens,
  Database,
  enteredIn,
  Fault,
  formatRupees,
  LeaveTo,
  Page,
  type RawRequest,
  type Tx,
} from '../platform/index.js';
import { verdictAnswer } from './sandbox-lender.js';
import { type PageDecision, sandboxOutcome, simulatedVerdict } from './reserved-pans.js';
import type { SimulatedAgreement } from './store/sandbox.entity.js';
import { type SandboxSession, SandboxSessions } from './store/sandbox-sessions.js';

interface ProviderPage {
  readonly titleKey: string;
  readonly sheets: readonly string[];
  readonly explanationKey: string;
  readonly approveKey: string;
  readonly declineKey: string;
  readonly action: string;
  /** Whether a reserved PAN makes this attempt fail. */
  readonly isBoundToFail: boolean;
  /** Null when nothing is signed. */
  readonly agreement: AgreementView | null;
  readonly decidedKey: string | null;
  readonly returnUrl: string;
}

interface AgreementView {
  readonly rows: readonly { readonly labelKey: string; readonly value: string }[];
  readonly keyFactsHash: string | null;
}

const DECIDED = {
  approve: 'sandbox.provider.decided.approve',
  decline: 'sandbox.provider.decided.decline',
} as const;

/** @param action the form's address */
function providerPage(session: SandboxSession, action: string): ProviderPage {
  const { pan, step, attempt, agreement, decision, returnUrl } = session;
  const { textKeys, shows } = redirectDefinition(step);
  return {
    titleKey: textKeys.providerTitle,
    explanationKey: textKeys.providerExplanation,
    approveKey: textKeys.providerApprove,
    declineKey: textKeys.providerDecline,
    sheets: ['sandbox.css'],
    action,
    isBoundToFail: simulatedVerdict(pan, step, attempt, 'approve') !== 'PASSED',
    agreement: shows === 'AGREEMENT' ? agreementView(agreement) : null,
    decidedKey: decision === null ? null : DECIDED[decision],
    returnUrl,
  };
}

function agreementView(agreement: SimulatedAgreement): AgreementView {
  const { lender, loanAmount, totalPayable, netDisbursed, keyFactsHash } = agreement;
  const rows = [
    { labelKey: 'common.offer.lender', value: lender },
    { labelKey: 'offers.amount', value: formatRupees(loanAmount) },
    ...amountRow('offers.repay', totalPayable),
    ...amountRow('offers.get', netDisbursed),
  ];
  return { rows, keyFactsHash };
}

function amountRow(labelKey: string, amount: Paise | null) {
  return amount === null ? [] : [{ labelKey, value: formatRupees(amount) }];
}

/** The form needs no CSRF token: any visitor with the address may press the button. */
@Controller('sandbox/provider')
@AnswersWithScreens()
export class ProviderPageController {
  constructor(
    private readonly database: Database,
    private readonly sessions: SandboxSessions,
    private readonly inbox: LenderInbox,
  ) {}

  @Get(':token')
  async show(@Param('token') token: string): Promise<Page> {
    const session = await this.database.transaction((tx) => this.find(tx, token));
    const page = providerPage(session, `/sandbox/provider/${token}`);
    return new Page('sandbox/provider', { ...page });
  }

  @Post(':token')
  @HttpCode(200)
  async decide(@Param('token') token: string, @Req() request: RawRequest): Promise<LeaveTo> {
    const decision = readDecision(request);
    const returnUrl = await this.database.transaction(async (tx) => {
      const session = await this.find(tx, token);
      // The session is locked, so a second press finds the first decision.
      if (decision !== 'leave' && session.decision === null) {
        await this.callBack(tx, session, decision);
      }
      return session.returnUrl;
    });
    return new LeaveTo(returnUrl, new URL(returnUrl).hostname);
  }

  private async callBack(
    tx: Tx,
    session: SandboxSession,
    decision: Exclude<PageDecision, 'leave'>,
  ): Promise<void> {
    await this.sessions.decide(tx, session.reference, decision);
    const verdict = simulatedVerdict(session.pan, session.step, session.attempt, decision);
    // A slow provider decides at the second request.
    const isSlow = sandboxOutcome(session.pan) === 'SLOW_PROVIDERS';
    if (verdict === 'UNDECIDED' || isSlow) return;
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
  const { decision } = enteredIn(request);
  if (decision === 'approve' || decision === 'decline' || decision === 'leave') return decision;
  throw new Fault('malformed_request');
}
