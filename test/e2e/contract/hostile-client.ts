import { randomUUID } from 'node:crypto';
import { Contract } from '../../support/contract.js';
import {
  type Answer,
  type CallOptions,
  PARTNER_PREFIX,
  type PartnerClient,
  partnerClient,
  sign,
} from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { sendBytes, type WireAnswer } from '../../support/wire.js';

export const INITIATE = `${PARTNER_PREFIX}/journey/initiate`;
export const PRODUCTS = `${PARTNER_PREFIX}/products`;

/**
 * Sends what a hostile or broken client may send to the shared service. Each response must be a clear error in the
 * envelope or harmless, and is checked against the OpenAPI document.
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

  /** Sends a hand-written request with a valid signature. */
  wire(
    method: string,
    target: string,
    more: string,
    { body = '', onWire = body }: { body?: string; onWire?: string } = {},
  ): Promise<WireAnswer & { code: string }> {
    const signed = this.signedLines(method, target, body);
    const head = `${method} ${target} HTTP/1.1\r\n${signed}${more}\r\n`;
    return this.bytes(method, target, head + onWire);
  }

  /** Sends raw bytes; checks the response as that of the given method and target. */
  async bytes(
    method: string,
    target: string,
    bytes: string,
  ): Promise<WireAnswer & { code: string }> {
    const answer = await sendBytes(this.service.baseUrl, bytes);
    this.contract.expectValid({ ...answer, method, target });
    return { ...answer, code: (JSON.parse(answer.body.toString()) as { code: string }).code };
  }

  /** The signature headers of a request, as lines. */
  private signedLines(method: string, target: string, body: string): string {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const nonce = randomUUID();
    const { apiKey, apiSecret } = this.service.credentials;
    const signature = sign(apiSecret, { method, target, timestamp, nonce, body });
    return (
      `Host: 127.0.0.1\r\nx-api-key: ${apiKey}\r\nx-timestamp: ${timestamp}\r\n` +
      `x-nonce: ${nonce}\r\nx-signature: ${signature}\r\n`
    );
  }
}
