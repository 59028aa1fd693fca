import { Inject, Injectable } from '@nestjs/common';
import { isRedirectStep, type RedirectStep } from '../../journey-steps/index.js';
import {
  type AccountRequest,
  type AccountVerdict,
  AnswerPending,
  type LenderAnswer,
  type LenderConnector,
  type LenderOffer,
  type LenderQuestion,
  type LenderReply,
  LenderUnavailable,
  type QuoteRequest,
  type SelectionVerdict,
  type SelectRequest,
  SessionElsewhere,
  type SessionRequest,
  type SessionVerdict,
} from '../../lenders/index.js';
import {
  addressProblem,
  Clock,
  ENVIRONMENT,
  type Environment,
  onClock,
} from '../../platform/index.js';
import type { LenderAnswered } from '../client/lender-answer.js';
import { LenderClient } from '../client/lender-client.js';
import type { PostedQuestionName, RequestOf, VerdictOf } from '../protocol/questions.js';
import { answerIdOf, ANSWERS_OF, refusalOf } from './answers-of.js';
import { KeyFactsSignatures } from './key-facts-signatures.js';
import { isRefused, offerOf } from './offers-of.js';
import * as requests from './requests-of.js';
import { asSentBefore, type Told, withHashedId, written } from './written-question.js';

type Pending = Extract<LenderAnswered<unknown>, { kind: 'PENDING' }>;

/** Speaks for every lender outside the process, in the lender protocol (RLP/1). */
@Injectable()
export class RlpConnector implements LenderConnector {
  static readonly adapter = 'rlp';
  readonly adapter = RlpConnector.adapter;

  constructor(
    private readonly client: LenderClient,
    private readonly signatures: KeyFactsSignatures,
    private readonly clock: Clock,
    @Inject(ENVIRONMENT)
    private readonly environment: Pick<Environment, 'isLoopback' | 'privateNetworks'>,
  ) {}

  async ask(question: LenderQuestion): Promise<LenderReply> {
    const step = requests.stepOf(question.kind);
    if (step) return this.askStep(question, step);
    switch (question.kind) {
      case 'OFFERS':
        return replyOf(
          question,
          await this.put(question, 'OFFERS', () => requests.offersRequest(question)),
          ANSWERS_OF.OFFERS,
        );
      case 'INSTANT_OFFERS':
        return replyOf(
          question,
          await this.put(question, 'OFFERS', () => requests.offersRequest(question)),
          ANSWERS_OF.INSTANT_OFFERS,
        );
      case 'DISBURSEMENT':
        return replyOf(
          question,
          await this.put(question, 'DISBURSEMENTS', () => requests.disbursementsRequest(question)),
          ANSWERS_OF.DISBURSEMENTS,
        );
      case 'DECISION':
        return replyOf(
          question,
          await this.put(question, 'DECISIONS', () => requests.decisionsRequest(question)),
          ANSWERS_OF.DECISIONS,
        );
      case 'WITHDRAWAL':
        return replyOf(
          question,
          await this.put(question, 'WITHDRAWALS', () => requests.withdrawalsRequest(question)),
          ANSWERS_OF.WITHDRAWALS,
        );
      default:
        throw new LenderUnavailable(`no question of the protocol is ${question.kind}`);
    }
  }

  async quote(request: QuoteRequest): Promise<LenderOffer | 'DIFFERS' | null> {
    const asked = withHashedId<'QUOTES'>(requests.quotesRequest(request));
    const whole = { ...request, id: asked.questionId };
    const verdict = await this.verdict(whole, 'QUOTES', () => asked);
    if (verdict.verdict === 'GONE') return null;
    const offer = offerOf(verdict.offer);
    // It was not of this kind when it was offered: it is another offer now.
    return isRefused(offer) ? 'DIFFERS' : offer;
  }

  async select(request: SelectRequest): Promise<SelectionVerdict> {
    const whole = { ...request, id: request.idempotencyKey };
    const verdict = await this.verdict(whole, 'SELECTIONS', () =>
      requests.selectionsRequest(request),
    );
    if (verdict.verdict === 'GONE') return { kind: 'GONE', reason: verdict.reason };
    const { applicationReference, keyFactsSignature } = verdict;
    if (keyFactsSignature !== undefined) {
      await this.signatures.check(request.lender, keyFactsSignature, request.keyFactsHash);
    }
    return {
      kind: 'ACCEPTED',
      applicationReference,
      ...(keyFactsSignature !== undefined && { keyFactsSignature }),
    };
  }

  async verifyAccount(request: AccountRequest): Promise<AccountVerdict> {
    const asked = withHashedId<'ACCOUNTS'>(requests.accountsRequest(request));
    const whole = { ...request, id: asked.questionId };
    const verdict = await this.verdict(whole, 'ACCOUNTS', () => asked);
    return verdict.verdict === 'ACCEPTED'
      ? { kind: 'ACCEPTED' }
      : { kind: verdict.verdict, reason: verdict.reason };
  }

  async openSession(request: SessionRequest): Promise<SessionVerdict> {
    const { lender, step } = request;
    const asked = withHashedId<'SESSIONS'>(requests.sessionsRequest(request));
    const whole = { ...request, id: asked.questionId };
    const verdict = await this.verdict(whole, 'SESSIONS', () => asked);
    if (verdict.verdict === 'REFUSED') {
      return { kind: 'REFUSED', answerId: answerIdOf(whole.id, verdict), ...refusalOf(verdict) };
    }
    const { url, expiresAt, covers } = verdict;
    if (!covers.includes(step)) {
      throw new LenderUnavailable(`the session does not cover ${step}`);
    }
    if (addressProblem(url, { ...this.environment, mayHaveFragment: true }) !== null) {
      const reason = 'the session is at an address that no applicant is sent to';
      throw new SessionElsewhere(URL.parse(url)?.origin ?? '-', null, reason);
    }
    const allowed = lender.remote?.covers ?? covers;
    const kept = covers.filter((one) => one === step || allowed.includes(one));
    return { kind: 'OPENED', url, expiresAt: onClock(this.clock, expiresAt), covers: kept };
  }

  private async askStep(question: LenderQuestion, step: RedirectStep): Promise<LenderReply> {
    const asked = await this.put(question, 'STEPS', () => requests.stepsRequest(question, step));
    if (asked.kind === 'VERDICT' && asked.verdict.verdict === 'PASSED') {
      const { evidence } = asked.verdict;
      // Evidence of another step is no answer to this question.
      if (evidence.step !== step) throw new LenderUnavailable('evidence of another step');
    }
    return replyOf(question, asked, ANSWERS_OF.STEPS);
  }

  /** Of a question whose asker waits: one that is not known yet is asked again by the asker. */
  private async verdict<Name extends PostedQuestionName>(
    told: Told,
    name: Name,
    request: () => RequestOf<Name>,
  ): Promise<VerdictOf<Name>> {
    const asked = await this.put(told, name, request);
    if (asked.kind === 'VERDICT') return asked.verdict;
    throw new AnswerPending(waitOf(asked));
  }

  private put<Name extends PostedQuestionName>(
    told: Told,
    name: Name,
    request: () => RequestOf<Name>,
  ): Promise<LenderAnswered<VerdictOf<Name>>> {
    return asSentBefore(
      told,
      () => written(name, request()),
      (question) => this.client.ask(told.lender, name, question),
    );
  }
}

function replyOf<Verdict extends { answerId: string }>(
  { id, kind }: LenderQuestion,
  asked: LenderAnswered<Verdict>,
  answerOf: (verdict: Verdict) => LenderAnswer,
): LenderReply {
  if (asked.kind === 'VERDICT') {
    const answerId = answerIdOf(id, asked.verdict);
    return { status: 'ANSWERED', answerId, answer: answerOf(asked.verdict) };
  }
  return {
    status: 'PENDING',
    askAgainInMs: waitOf(asked),
    // Of other questions no applicant can be awaited: the lender owes the answer.
    isSessionOpen: isRedirectStep(kind) && asked.waitingFor === 'APPLICANT',
  };
}

function waitOf({ askAgainAfterSeconds }: Pending): number {
  return askAgainAfterSeconds * 1_000;
}
