import { Inject, Injectable } from '@nestjs/common';
import type { RedirectStep } from '../journey-steps/index.js';
import { within } from '../platform/index.js';
import {
  type AccountRequest,
  type AccountVerdict,
  LENDER_CONNECTORS,
  type LenderConnector,
  type LenderOffer,
  type LenderQuestion,
  type LenderReply,
  LenderUnavailable,
  type QuoteRequest,
  SessionElsewhere,
  type SelectionVerdict,
  type SelectRequest,
  type SessionRequest,
  type SessionVerdict,
  type ShownProvider,
} from './lender-port.js';
import { LenderMetrics } from './lender-metrics.js';
import { type Lender, LenderCatalogue } from '../settings/index.js';

const DEADLINE_MS = 10_000;

/** A request as a caller makes it: the lender by its code, looked up here. */
type ByCode<Request extends { lender: Lender }> = Omit<Request, 'lender'> & { lenderCode: string };

/** A question's kind, as its id and the metrics have it. */
type CallKind = LenderQuestion['kind'] | 'QUOTE' | 'SELECTION' | 'ACCOUNT' | 'SESSION';

/**
 * The way to every lender: finds its connector, ends each call within ten seconds, and turns
 * whatever goes wrong into `LenderUnavailable`. Never called inside a transaction.
 */
@Injectable()
export class LenderGateway {
  private readonly connectors: ReadonlyMap<string, LenderConnector>;

  constructor(
    private readonly lenders: LenderCatalogue,
    private readonly metrics: LenderMetrics,
    @Inject(LENDER_CONNECTORS) connectors: readonly LenderConnector[],
  ) {
    this.connectors = new Map(connectors.map((connector) => [connector.adapter, connector]));
  }

  ask(question: ByCode<Omit<LenderQuestion, 'id'>>): Promise<LenderReply> {
    const id = questionId(question.subjectId, question.kind, question.reference);
    return this.call(question.lenderCode, question.kind, (connector, lender) =>
      connector.ask({ ...question, id, lender }),
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

  /** @throws SessionElsewhere when it is not where applicants are told that it is */
  openSession(request: ByCode<SessionRequest>): Promise<SessionVerdict> {
    return this.put('SESSION', request, async (connector, whole) => {
      const verdict = await connector.openSession(whole);
      const provider = configured(whole.lender, whole.step);
      if (verdict.kind === 'OPENED' && provider) requireHost(provider, verdict.url);
      return verdict;
    });
  }

  /** @returns null where neither the configuration nor the connector says on whose page a step is done */
  async providerOf(lenderCode: string, step: RedirectStep): Promise<ShownProvider | null> {
    const lender = await this.lenders.find(lenderCode);
    if (!lender) return null;
    return configured(lender, step) ?? this.connectors.get(lender.adapter)?.provider ?? null;
  }

  /**
   * Puts a question whose caller waits. Its id is made like that of a durable one, so that no two
   * questions of a subject have the same.
   */
  private put<Request extends ByCode<QuoteRequest | AccountRequest | SessionRequest>, Answer>(
    kind: CallKind,
    request: Request,
    ask: (connector: LenderConnector, whole: Request & { lender: Lender }) => Promise<Answer>,
  ): Promise<Answer> {
    const idempotencyKey = questionId(request.subjectId, kind, request.idempotencyKey);
    return this.call(request.lenderCode, kind, (connector, lender) =>
      ask(connector, { ...request, idempotencyKey, lender }),
    );
  }

  private async call<Answer>(
    lenderCode: string,
    kind: CallKind,
    put: (connector: LenderConnector, lender: Lender) => Promise<Answer>,
  ): Promise<Answer> {
    const lender = await this.lenders.find(lenderCode);
    const connector = lender && this.connectors.get(lender.adapter);
    if (!lender || !connector) throw new LenderUnavailable(`no connector for ${lenderCode}`);
    try {
      const answer = await within(DEADLINE_MS, put(connector, lender), noAnswer);
      this.metrics.questions.inc({ kind, outcome: 'answered' });
      return answer;
    } catch (error) {
      this.metrics.questions.inc({ kind, outcome: 'unavailable' });
      if (error instanceof LenderUnavailable) throw error;
      throw new LenderUnavailable('the call failed', { cause: error });
    }
  }
}

function configured({ terms }: Lender, step: RedirectStep): ShownProvider | null {
  return terms.providers?.find((provider) => provider.step === step) ?? null;
}

/** Exactly what the page has said: of a longer name, or another port, nobody can judge whose it is. */
function requireHost({ host }: ShownProvider, address: string): void {
  const { origin } = new URL(address);
  if (origin !== `https://${host}`) throw new SessionElsewhere(origin, host);
}

function questionId(subjectId: string, kind: CallKind, reference: string): string {
  return `${subjectId}:${kind}:${reference}`;
}

function noAnswer(): never {
  throw new LenderUnavailable('no answer in time');
}
