import { Contract, type SeenAnswer } from '../../support/contract.js';
import { DatabaseProxy } from '../../support/database-proxy.js';
import type { StartedJourney } from '../../support/journey-driver.js';
import { loanRequest, type LoanRequestOptions } from '../../support/loan-requests.js';
import {
  type Answer,
  type CallOptions,
  partnerClient,
  type PartnerClient,
} from '../../support/partner-client.js';
import { startService, type OwnService } from '../../support/service.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

export interface Call extends CallOptions {
  /** The value of the path's first parameter. */
  id?: string;
  deliveryId?: string;
  query?: string;
}

const UNKNOWN = '0'.repeat(32);
const SOME_IDS: Record<string, string> = {
  journeyId: `jrn_${UNKNOWN}`,
  applicationId: `app_${UNKNOWN}`,
  subscriptionId: `sub_${UNKNOWN}`,
  deliveryId: `dlv_${UNKNOWN}`,
};

/**
 * Sends the document's operations to a service, checks each response against the document, and records which responses
 * occurred.
 */
export class DocumentedCalls {
  readonly partner: PartnerClient;
  private readonly seen = new Map<string, Set<number>>();

  private constructor(
    readonly service: OwnService,
    readonly contract: Contract,
    /** A proxy before the service's database, so that a test can disconnect it. */
    readonly proxy: DatabaseProxy,
    private readonly database: TestDatabase,
  ) {
    this.partner = partnerClient(service);
  }

  static async open(): Promise<DocumentedCalls> {
    const database = await createTestDatabase();
    const proxy = await DatabaseProxy.before(database.url);
    const service = await startService({ databaseUrl: proxy.url });
    return new DocumentedCalls(service, await Contract.of(service), proxy, database);
  }

  async close(): Promise<void> {
    await this.service.close();
    await this.proxy.cut();
    await this.database.drop();
  }

  targetOf(operationId: string, { id, deliveryId, query = '' }: Call = {}): string {
    const { path } = this.contract.operation(operationId);
    const idOf = (name: string) => (name === 'deliveryId' ? deliveryId : id) ?? SOME_IDS[name];
    return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => idOf(name)) + query;
  }

  /** Sends one call as a client does, and checks the response against the document. */
  async send<Data = Record<string, unknown>>(
    operationId: string,
    { id, deliveryId, query, ...options }: Call = {},
    client = this.partner,
  ): Promise<Answer<Data>> {
    const { method } = this.contract.operation(operationId);
    const target = this.targetOf(operationId, { id, deliveryId, query });
    const answer = await client.request<Data>(method, target, options);
    this.record(operationId, { ...answer, method, target });
    return answer;
  }

  async start(options: LoanRequestOptions = {}): Promise<StartedJourney> {
    const { status, json } = await this.send<{ journeyId: string; journeySession?: string }>(
      'initiateJourney',
      { body: loanRequest(options) },
    );
    if (status !== 200) throw new Error(`initiateJourney answered ${status}`);
    return { id: json.data.journeyId, session: json.data.journeySession };
  }

  record(operationId: string, answer: SeenAnswer): void {
    this.contract.expectValid(answer);
    this.seen.set(operationId, (this.seen.get(operationId) ?? new Set()).add(answer.status));
  }

  /** The documented responses that did not occur. */
  missing(): string[] {
    return this.contract.operations.flatMap(({ operationId, statuses }) =>
      statuses
        .filter((status) => !this.seen.get(operationId)?.has(status))
        .map((status) => `${operationId} ${status}`),
    );
  }
}
