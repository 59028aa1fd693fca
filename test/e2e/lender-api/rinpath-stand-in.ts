import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createLocalJWKSet,
  type CryptoKey,
  exportJWK,
  FlattenedSign,
  flattenedVerify,
  generateKeyPair,
  type JSONWebKeySet,
} from 'jose';

export type Json = Record<string, unknown>;

export interface Twist {
  /** The id of the question. */
  readonly key?: string;
  /** Ends the wait for the answer. */
  readonly signal?: AbortSignal;
}

export interface LenderAnswer {
  readonly status: number;
  readonly text: string;
  readonly body: Json;
  /** The protected header of a signature that holds for these bytes; null when it does not hold. */
  readonly claims: Json | null;
}

/**
 * Stands in for Rinpath, with nothing of the lender's code: its own keys, questions signed by `jose`.
 */
export class RinpathStandIn {
  url = '';
  /** The beginning of the lenders' addresses. */
  lendersUrl = '';
  private keys!: { publicKey: CryptoKey; privateKey: CryptoKey };
  private readonly lenderKeys = new Map<string, ReturnType<typeof createLocalJWKSet>>();
  private readonly server = createServer((request, response) => {
    void this.serve(request, response);
  });

  async start(): Promise<void> {
    this.keys = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** A question in its usual form; `fields` are what it says beyond that. */
  async ask(
    lender: string,
    call: string,
    fields: Json,
    { key = `qst_${randomUUID()}`, signal }: Twist = {},
  ): Promise<LenderAnswer> {
    const url = `${this.lendersUrl}/${lender}/${call}`;
    const body = JSON.stringify({
      questionId: key,
      subject: { kind: 'JOURNEY', id: 'jrn_1' },
      applicationId: 'app_1',
      productCode: 'ONLINE_PERSONAL',
      ...fields,
    });
    const jti = `jti-${randomUUID()}`;
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'rlp-version': '1',
        'content-type': 'application/json',
        'idempotency-key': key,
        'x-jws-signature': await this.sign(body, { jti, htm: 'POST', htu: url }),
      },
      body,
      signal: signal ?? AbortSignal.timeout(30_000),
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const text = new TextDecoder().decode(bytes);
    const claims = await this.verify(lender, response.headers.get('x-jws-signature'), bytes);
    return { status: response.status, text, body: parse(text), claims };
  }

  private async sign(body: string, claims: Json): Promise<string> {
    const iat = Math.floor(Date.now() / 1000);
    const header = { alg: 'EdDSA', kid: 'rinpath-1', b64: false, crit: ['b64'], iat, ...claims };
    const jws = await new FlattenedSign(new TextEncoder().encode(body))
      .setProtectedHeader(header)
      .sign(this.keys.privateKey, { crit: { b64: true } });
    return `${jws.protected}..${jws.signature}`;
  }

  private async verify(
    lender: string,
    signature: string | null,
    payload: Uint8Array,
  ): Promise<Json | null> {
    const [header = '', nothing, value = ''] = signature?.split('.') ?? [];
    if (nothing !== '') return null;
    const keys = this.lenderKeys.get(lender) ?? (await this.fetchKeys(lender));
    try {
      const jws = { protected: header, payload, signature: value };
      return (await flattenedVerify(jws, keys)).protectedHeader as Json;
    } catch {
      return null;
    }
  }

  private async fetchKeys(lender: string) {
    const response = await fetch(`${this.lendersUrl}/${lender}/jwks.json`);
    const keys = createLocalJWKSet((await response.json()) as JSONWebKeySet);
    this.lenderKeys.set(lender, keys);
    return keys;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isKeys = request.url === '/.well-known/rlp-jwks.json';
    const jwk = { ...(await exportJWK(this.keys.publicKey)), kid: 'rinpath-1', alg: 'EdDSA' };
    response.writeHead(isKeys ? 200 : 404).end(JSON.stringify({ keys: [jwk] }));
  }
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return {};
  }
}
