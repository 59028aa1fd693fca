import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Counter } from 'prom-client';
import type { RedirectStep } from '../journey-steps/index.js';
import {
  type Environment,
  InjectEnvironment,
  isLoggedOutage,
  Metrics,
  within,
} from '../platform/index.js';
import { type Lender, LenderCatalogue } from '../settings/index.js';
import {
  type AccountRequest,
  type AccountVerdict,
  type CallKind,
  type CallNames,
  type Eligibility,
  type EligibilityRequest,
  LENDER_CONNECTORS,
  type LenderConnector,
  type LenderOffer,
  type LenderQuestion,
  type LenderReply,
  questionId,
  type QuoteRequest,
  type SelectionVerdict,
  type SelectRequest,
  type SessionRequest,
  type SessionVerdict,
  type ShownProvider,
} from './lender-port.js';

/** No answer in time: the outcome is unknown, not refused. */
export class LenderUnavailable extends Error {
  readonly askAgainInMs?: number;
  isSuspended = false;
  isInvalidQuestion = false;
  /** Our limits or circuit breaker prevented the call. */
  isNotCalled = false;

  constructor(reason: string, options: ErrorOptions & { askAgainInMs?: number } = {}) {
    super(reason, { cause: options.cause });
    this.name = 'LenderUnavailable';
    this.askAgainInMs = options.askAgainInMs;
  }
}

export class AnswerPending extends LenderUnavailable {
  constructor(askAgainInMs: number) {
    super('not known yet', { askAgainInMs });
    this.name = 'AnswerPending';
  }
}

/** The session's page is not at the configured host, so no applicant is sent there. */
export class SessionElsewhere extends LenderUnavailable {
  /**
   * @param origin without the path, which may hold a token
   * @param host null when no host is configured, or none is allowed
   */
  constructor(
    readonly origin: string,
    readonly host: string | null,
    reason = 'the session’s host is not the provider’s host',
  ) {
    super(reason);
    this.name = 'SessionElsewhere';
  }
}

export const LENDER_CALL_MS = 10_000;
const ELIGIBILITY_MS = 2_000;

type ByCode<Request extends { lender: Lender }> = Omit<Request, 'lender' | 'names'> & {
  lenderCode: string;
};

type Named = { readonly lender: Lender; readonly names: CallNames };

interface Call {
  readonly kind: CallKind;
  readonly lenderCode: string;
  readonly subjectId: string;
  readonly names: CallNames;
}

/**
 * Ends each call within ten seconds, an eligibility within two, and throws every failure as `LenderUnavailable`.
 * Never call it inside a transaction.
 */
@Injectable()
export class LenderGateway {
  private readonly logger = new Logger(LenderGateway.name);
  private readonly connectors: ReadonlyMap<string, LenderConnector>;
  private readonly questions: Counter<'kind' | 'outcome'>;

  constructor(
    private readonly lenders: LenderCatalogue,
    metrics: Metrics,
    @InjectEnvironment private readonly environment: Pick<Environment, 'mode'>,
    @Inject(LENDER_CONNECTORS) connectors: readonly LenderConnector[],
  ) {
    this.connectors = new Map(connectors.map((connector) => [connector.adapter, connector]));
    this.questions = metrics.counter(
      'lender_questions_total',
      'Questions to lenders, by kind and outcome',
      ['kind', 'outcome'],
    );
  }

  ask(question: ByCode<Omit<LenderQuestion, 'id'>>): Promise<LenderReply> {
    const id = questionId(question.subjectId, question.kind, question.reference);
    const names = { question: id };
    return this.call({ ...question, names }, (connector, lender) =>
      connector.ask({ ...question, id, names, lender }),
    );
  }

  quote(request: ByCode<QuoteRequest>): Promise<LenderOffer | 'DIFFERS' | null> {
    return this.put('QUOTE', request, (connector, whole) => connector.quote(whole));
  }

  select(request: ByCode<SelectRequest>): Promise<SelectionVerdict> {
    return this.put('SELECTION', request, (connector, whole) => connector.select(whole));
  }

  verifyAccount(request: ByCode<AccountRequest>): Promise<AccountVerdict> {
    return this.put('ACCOUNT', request, (connector, whole) => connector.verifyAccount(whole));
  }

  /** @throws SessionElsewhere when the page is not at the configured host */
  openSession(request: ByCode<SessionRequest>): Promise<SessionVerdict> {
    return this.put('SESSION', request, async (connector, whole) => {
      const verdict = await connector.openSession(whole);
      if (verdict.kind === 'OPENED') this.requireHost(whole, verdict.url);
      return verdict;
    });
  }

  /** Ends within two seconds. */
  eligibility(request: ByCode<EligibilityRequest>): Promise<Eligibility> {
    return this.put('ELIGIBILITY', request, async (connector, whole) => {
      if (connector.eligibility) return connector.eligibility(whole);
      throw new LenderUnavailable(`the adapter ${connector.adapter} has no eligibility`);
    });
  }

  async providerOf(lenderCode: string, step: RedirectStep): Promise<ShownProvider | null> {
    const lender = await this.lenders.find(lenderCode);
    if (!lender) return null;
    return configured(lender, step) ?? this.connectors.get(lender.adapter)?.provider ?? null;
  }

  /** Makes the request's idempotency key unique among all questions to the lender. */
  private put<
    Request extends ByCode<QuoteRequest | AccountRequest | SessionRequest | EligibilityRequest>,
    Answer,
  >(
    kind: CallKind,
    request: Request,
    ask: (connector: LenderConnector, whole: Request & Named) => Promise<Answer>,
  ): Promise<Answer> {
    const idempotencyKey = questionId(request.subjectId, kind, request.idempotencyKey);
    const names = { question: idempotencyKey };
    return this.call({ ...request, kind, names }, (connector, lender) =>
      ask(connector, { ...request, idempotencyKey, names, lender }),
    );
  }

  /**
   * Matches exactly: a longer name or another port may have another owner. In production, an outside lender's step
   * needs a configured host.
   */
  private requireHost({ lender, step }: { lender: Lender; step: RedirectStep }, url: string): void {
    const host = configured(lender, step)?.host;
    const { origin } = new URL(url);
    if (host !== undefined) {
      if (origin !== `https://${host}`) throw new SessionElsewhere(origin, host);
    } else if (this.environment.mode === 'production' && lender.remote) {
      const reason = `lenders[].providers of ${lender.code} names no host for ${step}`;
      throw new SessionElsewhere(origin, null, reason);
    }
  }

  private async call<Answer>(
    { kind, lenderCode, ...about }: Call,
    put: (connector: LenderConnector, lender: Lender) => Promise<Answer>,
  ): Promise<Answer> {
    const lender = await this.lenders.find(lenderCode);
    const connector = lender && this.connectors.get(lender.adapter);
    try {
      if (!lender || !connector) throw new LenderUnavailable(`no connector for ${lenderCode}`);
      const answer = await within(
        kind === 'ELIGIBILITY' ? ELIGIBILITY_MS : LENDER_CALL_MS,
        put(connector, lender),
        noAnswer,
      );
      this.questions.inc({ kind, outcome: 'answered' });
      return answer;
    } catch (error) {
      this.questions.inc({ kind, outcome: 'unavailable' });
      this.log(error, { kind, lenderCode, ...about });
      if (error instanceof LenderUnavailable) throw error;
      throw new LenderUnavailable('the call failed', { cause: error });
    }
  }

  /**
   * Logs each failed call once, so callers do not. A timeout is a warning; a pending answer is not a failure. Partners
   * may ask for eligibilities thousands of times while a lender is not called.
   */
  private log(error: unknown, { kind, lenderCode, subjectId, names }: Call): void {
    if (isLoggedOutage(error)) return;
    const isSoft = kind === 'ELIGIBILITY';
    const subject = isSoft ? { eligibilityId: subjectId } : { journeyId: subjectId };
    const about = { lender: lenderCode, ...subject, kind, ...names };
    if (error instanceof AnswerPending) {
      const { message, askAgainInMs } = error;
      this.logger.debug({ ...about, pending: message, askAgainInMs });
    } else if (isSoft && error instanceof LenderUnavailable && error.isNotCalled) {
      this.logger.debug({ ...about, notCalled: error.message });
    } else if (error instanceof LenderUnavailable) this.logger.warn({ err: error, ...about });
    else this.logger.error({ err: error, ...about });
  }
}

function configured({ terms }: Lender, step: RedirectStep): ShownProvider | null {
  return terms.providers?.find((provider) => provider.step === step) ?? null;
}

function noAnswer(): never {
  throw new LenderUnavailable('no answer in time');
}
