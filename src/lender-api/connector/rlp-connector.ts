import { Injectable } from '@nestjs/common';
import { isRedirectStep } from '../../journey-steps/index.js';
import {
  type AccountRequest,
  type AccountVerdict,
  AnswerPending,
  type Eligibility,
  type EligibilityRequest,
  type LenderConnector,
  type LenderOffer,
  type LenderQuestion,
  type LenderReply,
  LenderUnavailable,
  type QuoteRequest,
  type SelectionVerdict,
  type SelectRequest,
  SentBody,
  SessionElsewhere,
  type SessionRequest,
  type SessionVerdict,
} from '../../lenders/index.js';
import {
  addressProblem,
  Clock,
  type Environment,
  InjectEnvironment,
  onClock,
  sha256,
} from '../../platform/index.js';
import type { LenderAnswered } from '../client/lender-answer.js';
import { LenderCallFailed } from '../client/lender-call-metrics.js';
import { LenderClient } from '../client/lender-client.js';
import { SignatureAlarm } from '../client/signature-alarm.js';
import { LenderKeys } from '../keys/lender-keys.js';
import {
  type PostedQuestionName,
  QUESTIONS,
  type RequestOf,
  type VerdictOf,
} from '../protocol/questions.js';
import { SignatureRefused, verifyKeyFactsSignature } from '../signing/message-signatures.js';
import { answerIdOf, durableQuestion, refusalOf } from './durable-questions.js';
import { isRefused, offerOf } from './offers-of.js';
import * as requests from './requests-of.js';

/** An id has at most 100 characters. */
const HASH_CHARACTERS = 8;

/** Another body is another question. Only for questions without a commitment. */
export function withHashedId<Name extends 'QUOTES' | 'ACCOUNTS' | 'SESSIONS'>(
  request: RequestOf<Name>,
): RequestOf<Name> {
  const hash = sha256(JSON.stringify(request)).slice(0, HASH_CHARACTERS);
  return { ...request, questionId: `${request.questionId}:${hash}` };
}

/**
 * Omits fields that the protocol does not have.
 * @throws LenderCallFailed invalid_question
 */
function written<Name extends PostedQuestionName>(name: Name, question: RequestOf<Name>): string {
  const checked = QUESTIONS[name].request.safeParse(question);
  if (checked.success) return JSON.stringify(checked.data);
  const places = checked.error.issues.map((issue) => issue.path.join('.')).join(', ');
  throw new LenderCallFailed('invalid_question', `the question is not valid: ${places}`);
}

type Asked = Pick<LenderQuestion, 'id' | 'lender' | 'subjectId' | 'sent' | 'names'>;
type Pending = Extract<LenderAnswered<unknown>, { kind: 'PENDING' }>;

@Injectable()
export class RlpConnector implements LenderConnector {
  static readonly adapter = 'rlp';
  readonly adapter = RlpConnector.adapter;

  constructor(
    private readonly client: LenderClient,
    private readonly keys: LenderKeys,
    private readonly alarm: SignatureAlarm,
    private readonly clock: Clock,
    @InjectEnvironment
    private readonly environment: Pick<Environment, 'isLoopback' | 'privateNetworks'>,
  ) {}

  async ask(question: LenderQuestion): Promise<LenderReply> {
    const form = durableQuestion(question.kind);
    const asked = await this.put(question, form.name, () => form.request(question));
    if (asked.kind === 'PENDING') {
      // The applicant acts only in a redirect step.
      const isSessionOpen = isRedirectStep(question.kind) && asked.waitingFor === 'APPLICANT';
      return { status: 'PENDING', askAgainInMs: waitOf(asked), isSessionOpen };
    }
    const answer = form.answer(asked.verdict);
    if (!answer) throw new LenderUnavailable('evidence of another step');
    return { status: 'ANSWERED', answerId: answerIdOf(question.id, asked.verdict), answer };
  }

  async quote(request: QuoteRequest): Promise<LenderOffer | 'DIFFERS' | null> {
    const question = withHashedId<'QUOTES'>(requests.quotesRequest(request));
    const verdict = await this.verdict(request, 'QUOTES', question);
    if (verdict.verdict === 'GONE') return null;
    const offer = offerOf(verdict.offer);
    return isRefused(offer) ? 'DIFFERS' : offer;
  }

  async select(request: SelectRequest): Promise<SelectionVerdict> {
    const question = requests.selectionsRequest(request);
    const verdict = await this.verdict(request, 'SELECTIONS', question);
    if (verdict.verdict === 'GONE') return { kind: 'GONE', reason: verdict.reason };
    const { applicationReference, keyFactsSignature } = verdict;
    if (keyFactsSignature === undefined) return { kind: 'ACCEPTED', applicationReference };
    await this.checkKeyFacts(request, keyFactsSignature);
    return { kind: 'ACCEPTED', applicationReference, keyFactsSignature };
  }

  async verifyAccount(request: AccountRequest): Promise<AccountVerdict> {
    const question = withHashedId<'ACCOUNTS'>(requests.accountsRequest(request));
    const verdict = await this.verdict(request, 'ACCOUNTS', question);
    return verdict.verdict === 'ACCEPTED'
      ? { kind: 'ACCEPTED' }
      : { kind: verdict.verdict, reason: verdict.reason };
  }

  async openSession(request: SessionRequest): Promise<SessionVerdict> {
    const { lender, step } = request;
    const question = withHashedId<'SESSIONS'>(requests.sessionsRequest(request));
    const verdict = await this.verdict(request, 'SESSIONS', question);
    if (verdict.verdict === 'REFUSED') {
      const answerId = answerIdOf(question.questionId, verdict);
      return { kind: 'REFUSED', answerId, ...refusalOf(verdict) };
    }
    const { url, expiresAt, covers } = verdict;
    if (!covers.includes(step)) {
      throw new LenderUnavailable(`the session does not cover ${step}`);
    }
    if (addressProblem(url, { ...this.environment, mayHaveFragment: true }) !== null) {
      const reason = 'the session’s address is not a valid page for applicants';
      throw new SessionElsewhere(URL.parse(url)?.origin ?? '-', null, reason);
    }
    const allowed = lender.remote?.covers ?? covers;
    const kept = covers.filter((one) => one === step || allowed.includes(one));
    return { kind: 'OPENED', url, expiresAt: onClock(this.clock, expiresAt), covers: kept };
  }

  async eligibility(request: EligibilityRequest): Promise<Eligibility> {
    const question = requests.eligibilitiesRequest(request);
    const verdict = await this.verdict(request, 'ELIGIBILITIES', question);
    if (verdict.verdict === 'UNKNOWN') return { verdict: 'UNKNOWN' };
    const { answerId: _, annualRatePercent: rate, ...rest } = verdict;
    if (!rate) return rest;
    return { ...rest, annualRatePercent: { min: Number(rate.min), max: Number(rate.max) } };
  }

  private async checkKeyFacts(
    { lender, keyFactsHash }: SelectRequest,
    signature: string,
  ): Promise<void> {
    try {
      await this.keys.check(lender, (findKey) =>
        verifyKeyFactsSignature(signature, keyFactsHash, findKey),
      );
    } catch (cause) {
      if (!(cause instanceof SignatureRefused)) throw cause;
      this.alarm.refused(lender.code, 'answer', cause.problem);
      const reason = `keyFactsSignature: ${cause.message}`;
      throw new LenderCallFailed('signature_refused', reason, { cause });
    }
  }

  /** @throws AnswerPending: the caller retries */
  private async verdict<Name extends PostedQuestionName>(
    request: Omit<Asked, 'id'>,
    name: Name,
    question: RequestOf<Name>,
  ): Promise<VerdictOf<Name>> {
    const asked = await this.put({ ...request, id: question.questionId }, name, () => question);
    if (asked.kind === 'VERDICT') return asked.verdict;
    throw new AnswerPending(waitOf(asked));
  }

  private async put<Name extends PostedQuestionName>(
    { id, lender, subjectId, sent = new SentBody(), names = { question: id } }: Asked,
    name: Name,
    request: () => RequestOf<Name>,
  ): Promise<LenderAnswered<VerdictOf<Name>>> {
    const body = async () => {
      const text = sent.before ?? written(name, request());
      await sent.sending(text);
      return text;
    };
    names.question = id;
    try {
      return await this.client.ask(lender, name, { questionId: id, subjectId, body, names });
    } catch (error) {
      if (error instanceof LenderCallFailed) {
        error.isInvalidQuestion = error.failure === 'invalid_question';
      }
      throw error;
    }
  }
}

function waitOf({ askAgainAfterSeconds }: Pending): number {
  return askAgainAfterSeconds * 1_000;
}
