import { Contract } from '../../support/contract.js';
import {
  type Answer,
  type CallOptions,
  PARTNER_PREFIX,
  type PartnerClient,
  partnerClient,
} from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { sendBytes, signedLines, type WireAnswer } from '../../support/wire.js';

export const INITIATE = `${PARTNER_PREFIX}/journey/initiate`;
export const PRODUCTS = `${PARTNER_PREFIX}/products`;

/**
 * What a hostile or broken client may send, to the shared service: a clear refusal in the envelope,
 * or no harm at all. Every answer is also checked against the OpenAPI document.
 */
export class HostileClient {
  readonly partner: PartnerClient;

  private constructor(
    readonly service: TestService,
    private readonly contract: Contract,
  ) {
    this.partner = partnerClient(service);
  }

  static async start(): Promise<HostileClient> {
    const service = await sharedService();
    return new HostileClient(service, await Contract.of(service));
  }

  async send(method: string, target: string, options?: CallOptions): Promise<Answer> {
    const answer = await this.partner.request(method, target, options);
    this.contract.expectValid({ ...answer, method, target });
    return answer;
  }

  initiate(body: string | Buffer, headers: CallOptions['headers'] = {}): Promise<Answer> {
    return this.send('POST', INITIATE, { body, headers });
  }

  /** Sends a request written by hand, its signature made as a good partner makes it. */
  wire(
    method: string,
    target: string,
    more: string,
    { body = '', onWire = body }: { body?: string; onWire?: string } = {},
  ): Promise<WireAnswer & { code: string }> {
    const signed = signedLines(this.service.credentials, method, target, body);
    const head = `${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n${signed}${more}\r\n`;
    return this.bytes(method, target, head + onWire);
  }

  /** Sends bytes as they are; their answer is held against the document as that of a method and a target. */
  async bytes(
    method: string,
    target: string,
    bytes: string,
  ): Promise<WireAnswer & { code: string }> {
    const answer = await sendBytes(this.service.baseUrl, bytes);
    this.contract.expectValid({ ...answer, method, target });
    return { ...answer, code: (JSON.parse(answer.body.toString()) as { code: string }).code };
  }
}
