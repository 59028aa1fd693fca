import { Inject, Injectable } from '@nestjs/common';
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
  type SessionRequest,
} from './lender-port.js';
import { LenderMetrics } from './lender-metrics.js';
import { type Lender, LenderCatalogue } from '../settings/index.js';

const DEADLINE_MS = 10_000;

/** A request as a caller makes it: the lender by its code, looked up here. */
type ByCode<Request extends { lender: Lender }> = Omit<Request, 'lender'> & { lenderCode: string };

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
    const id = `${question.subjectId}:${question.kind}:${question.reference}`;
    return this.call(question.lenderCode, question.kind, (connector, lender) =>
      connector.ask({ ...question, id, lender }),
    );
  }

  quote(request: ByCode<QuoteRequest>): Promise<LenderOffer | null> {
    return this.call(request.lenderCode, 'QUOTE', (connector, lender) =>
      connector.quote({ ...request, lender }),
    );
  }

  verifyAccount(request: ByCode<AccountRequest>): Promise<AccountVerdict> {
    return this.call(request.lenderCode, 'ACCOUNT', (connector, lender) =>
      connector.verifyAccount({ ...request, lender }),
    );
  }

  openSession(request: ByCode<SessionRequest>): Promise<{ url: string }> {
    return this.call(request.lenderCode, 'SESSION', (connector, lender) =>
      connector.openSession({ ...request, lender }),
    );
  }

  private async call<Answer>(
    lenderCode: string,
    kind: string,
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

function noAnswer(): never {
  throw new LenderUnavailable('no answer in time');
}
