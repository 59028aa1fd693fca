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
import { sandboxCredentials } from '../../support/sandbox-credentials.js';
import { startService, type OwnService } from '../../support/service.js';
import { sendBytes, type WireAnswer } from '../../support/wire.js';

export const INITIATE = `${PARTNER_PREFIX}/journey/initiate`;
export const PRODUCTS = `${PARTNER_PREFIX}/products`;
export const KEY = sandboxCredentials('demo', 'demo-load');

/**
 * What a hostile or broken client may send, to a service of its own: a clear refusal in the envelope,
 * or no harm at all. Every answer is also checked against the OpenAPI document.
 */
export class HostileClient {
  readonly partner: PartnerClient;

  private constructor(
    private readonly service: OwnService,
    private readonly contract: Contract,
  ) {
    this.partner = partnerClient(service);
  }

  static async start(): Promise<HostileClient> {
    const service = await startService();
    return new HostileClient(service, await Contract.of(service));
  }

  close(): Promise<void> {
    return this.service.close();
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
    const signed = this.signedLines(method, target, body);
    const head = `${method} ${target} HTTP/1.1\r\n${signed}${more}\r\n`;
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

  /** The headers that sign a request, as lines. */
  private signedLines(method: string, target: string, body: string): string {
    const timestamp = String(Math.floor(this.service.now().getTime() / 1000));
    const nonce = randomUUID();
    const signature = sign(KEY.apiSecret, { method, target, timestamp, nonce, body });
    return (
      `Host: 127.0.0.1\r\nx-api-key: ${KEY.apiKey}\r\nx-timestamp: ${timestamp}\r\n` +
      `x-nonce: ${nonce}\r\nx-signature: ${signature}\r\n`
    );
  }
}
