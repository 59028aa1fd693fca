import { Injectable } from '@nestjs/common';
import { isRedirectStep, type RedirectStep } from '../journey-steps/index.js';
import {
  type AccountRequest,
  type AccountVerdict,
  type LenderAnswer,
  type LenderConnector,
  type LenderOffer,
  type LenderQuestion,
  type LenderReply,
  LenderUnavailable,
  type QuoteRequest,
  type SelectionVerdict,
  type SelectRequest,
  type SessionRequest,
  type SessionVerdict,
  type ShownProvider,
} from '../lenders/index.js';
import { Clock, Database, type Environment, InjectEnvironment } from '../platform/index.js';
import { sandboxOutcome, simulatedVerdict } from './reserved-pans.js';
import { NoOffer, sandboxOffer } from './sandbox-offer.js';
import { SandboxSessions } from './store/sandbox-sessions.js';
import { LenderCatalogue } from '../settings/index.js';

const SLOW_LENDER_MS = 10_000;
const SLOW_PROVIDER_MS = 10_000;
const SLOW_DISBURSEMENT_MS = 30_000;
const DISBURSEMENT_MS = 250;
const DECISION_MS = 250;
// Lenders answer within a second, so that every run includes waiting; an instant loan's at once.
const LATENCY_STEP_MS = 200;

const REFUSED_ACCOUNT = /0000$/;
const FOREVER_REFUSED_ACCOUNT = /9999$/;

/**
 * Answers depend only on question, PAN and time, so that every replica repeats them after a crash.
 */
@Injectable()
export class SandboxLender implements LenderConnector {
  static readonly adapter = 'sandbox';
  readonly adapter = SandboxLender.adapter;

  constructor(
    private readonly lenders: LenderCatalogue,
    private readonly sessions: SandboxSessions,
    private readonly database: Database,
    private readonly clock: Clock,
    @InjectEnvironment private readonly environment: Environment,
  ) {}

  get provider(): ShownProvider {
    return { name: 'Sandbox Provider', host: new URL(this.environment.baseUrl).host };
  }

  async ask(question: LenderQuestion): Promise<LenderReply> {
    if (isRedirectStep(question.kind)) return this.verdict(question, question.kind);
    switch (question.kind) {
      case 'OFFERS':
        return this.offers(question);
      case 'DISBURSEMENT':
        return this.disburse(question);
      case 'DECISION':
        return this.decide(question);
      case 'WITHDRAWAL':
        return answered(question, { kind: 'NOTED' });
    }
  }

  quote({ lender, payload, principal, offerReference }: QuoteRequest): Promise<LenderOffer | null> {
    try {
      const asked = { ...payload, loanAmount: principal };
      return Promise.resolve(sandboxOffer(lender, asked, offerReference, this.clock.now()));
    } catch (error) {
      if (error instanceof NoOffer) return Promise.resolve(null);
      throw error;
    }
  }

  select({ lender, subjectId }: SelectRequest): Promise<SelectionVerdict> {
    const applicationReference = `${lender.code}-${subjectId.slice(-12)}`.toUpperCase();
    return Promise.resolve({ kind: 'ACCEPTED', applicationReference });
  }

  verifyAccount({ account }: AccountRequest): Promise<AccountVerdict> {
    if (FOREVER_REFUSED_ACCOUNT.test(account.accNo)) {
      return Promise.resolve({ kind: 'REFUSED_FOR_GOOD', reason: 'ACCOUNT_FROZEN' });
    }
    if (REFUSED_ACCOUNT.test(account.accNo)) {
      return Promise.resolve({ kind: 'REFUSED', reason: 'ACCOUNT_NOT_FOUND' });
    }
    return Promise.resolve({ kind: 'ACCEPTED' });
  }

  async openSession(request: SessionRequest): Promise<SessionVerdict> {
    const token = await this.database.transaction((tx) => this.sessions.open(tx, request));
    const url = `${this.environment.baseUrl}/sandbox/provider/${token}`;
    return { kind: 'OPENED', url, covers: [request.step] };
  }

  private async offers(question: LenderQuestion): Promise<LenderReply> {
    const outcome = sandboxOutcome(question.payload.applicant.pan);
    const serving = await this.lenders.serving(question.payload.productCode);
    const position = serving.findIndex(({ code }) => code === question.lender.code);
    if (outcome === 'LENDERS_FAIL_TWICE' && question.attemptsBefore < 2) {
      throw new LenderUnavailable('the simulated lender answers 503');
    }
    if (outcome === 'SLOW_LENDERS' && position === serving.length - 1) return { status: 'PENDING' };
    const usual =
      question.payload.subjectKind === 'JOURNEY' ? this.usual(position * LATENCY_STEP_MS) : 0;
    const latency = outcome === 'SLOW_LENDERS' ? SLOW_LENDER_MS : usual;
    const left = this.timeLeft(question, latency);
    if (left > 0) return { status: 'PENDING', askAgainInMs: left };
    const isDeclined =
      outcome === 'EVERY_LENDER_DECLINES' || (outcome === 'ONE_OFFER' && position !== 0);
    return answered(
      question,
      isDeclined ? { kind: 'DECLINED', reason: 'POLICY' } : this.offer(question),
    );
  }

  private offer(question: LenderQuestion): LenderAnswer {
    try {
      const reference = `${question.lender.code}-${question.id}`;
      const offer = sandboxOffer(question.lender, question.payload, reference, this.clock.now());
      return { kind: 'OFFERED', offers: [offer] };
    } catch (error) {
      if (error instanceof NoOffer) return { kind: 'DECLINED', reason: error.message };
      throw error;
    }
  }

  private async verdict(question: LenderQuestion, step: RedirectStep): Promise<LenderReply> {
    const visit = await this.sessions.decisionOn(question.reference);
    const { payload } = question;
    const verdict = simulatedVerdict(
      payload.applicant.pan,
      step,
      payload.stepAttempt ?? 1,
      visit?.decision ?? null,
    );
    if (verdict === 'UNDECIDED') return { status: 'PENDING', isSessionOpen: true };
    const isSlow = sandboxOutcome(payload.applicant.pan) === 'SLOW_PROVIDERS';
    const left = isSlow ? this.slowness(question, visit?.decidedAt ?? null) : 0;
    if (left > 0) return { status: 'PENDING', askAgainInMs: left };
    return { status: 'ANSWERED', ...verdictAnswer(question.reference, verdict) };
  }

  private disburse(question: LenderQuestion): LenderReply {
    const { payload, subjectId, lender } = question;
    const isSlow = sandboxOutcome(payload.applicant.pan) === 'SLOW_DISBURSEMENT';
    const left = this.timeLeft(
      question,
      isSlow ? SLOW_DISBURSEMENT_MS : this.usual(DISBURSEMENT_MS),
    );
    if (left > 0) return { status: 'PENDING', askAgainInMs: left };
    return answered(question, {
      kind: 'PAID',
      paidAt: this.clock.now().toISOString(),
      amount: payload.netDisbursed ?? payload.loanAmount,
      transferReference: `SANDBOX${question.id.slice(-12).toUpperCase()}`,
      loanReference: `${lender.code}-LN-${subjectId.slice(-12)}`.toUpperCase(),
      accountLastFour: payload.bankAccount?.accNo.slice(-4),
    });
  }

  private decide(question: LenderQuestion): LenderReply {
    const outcome = sandboxOutcome(question.payload.applicant.pan);
    if (outcome === 'LENDERS_FAIL_TWICE' && question.attemptsBefore < 2) {
      throw new LenderUnavailable('the simulated lender answers 503');
    }
    const isSlow = outcome === 'SLOW_LENDERS';
    const left = this.timeLeft(question, isSlow ? SLOW_LENDER_MS : this.usual(DECISION_MS));
    if (left > 0) return { status: 'PENDING', askAgainInMs: left };
    if (outcome === 'EVERY_LENDER_DECLINES' || outcome === 'DECISION_DECLINED') {
      return answered(question, { kind: 'DECLINED', reason: 'POLICY' });
    }
    const reference = `${question.lender.code}-${question.subjectId.slice(-12)}`.toUpperCase();
    return answered(question, { kind: 'SANCTIONED', reference });
  }

  private usual(latencyMs: number): number {
    return (latencyMs * this.environment.sandboxLatencyPercent) / 100;
  }

  /** Without a visit, it is slow once. */
  private slowness(question: LenderQuestion, decidedAt: Date | null): number {
    if (decidedAt === null) return question.attemptsBefore === 0 ? SLOW_PROVIDER_MS : 0;
    return decidedAt.getTime() + SLOW_PROVIDER_MS - this.clock.now().getTime();
  }

  private timeLeft(question: LenderQuestion, latencyMs: number): number {
    return question.askedAt.getTime() + latencyMs - this.clock.now().getTime();
  }
}

/** A callback and a poll have the same id. */
export function verdictAnswer(
  reference: string,
  verdict: 'PASSED' | 'FAILED' | 'REFUSED',
): { answerId: string; answer: LenderAnswer } {
  const answer: LenderAnswer =
    verdict === 'PASSED' ? { kind: verdict } : { kind: verdict, reason: 'SIMULATED' };
  return { answerId: `${reference}:${verdict}`, answer };
}

function answered(question: LenderQuestion, answer: LenderAnswer): LenderReply {
  return { status: 'ANSWERED', answerId: question.id, answer };
}
