import { createHash, randomUUID } from 'node:crypto';
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

/** How a request differs from a right one; what is left out is right. */
export interface Twist {
  readonly method?: string;
  readonly key?: string;
  readonly claims?: Json;
  /** Signed instead of what is sent. */
  readonly signedBody?: string;
  readonly signWith?: CryptoKey;
  /** In place of the signature; null: none. */
  readonly signature?: string | null;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly timeoutMs?: number;
  /** In place of a limit of time. */
  readonly signal?: AbortSignal;
}

export interface LenderAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Json;
  /** The protected header of a signature that holds for these bytes; null when it does not hold. */
  readonly claims: Json | null;
  /** The `jti` of the request. */
  readonly jti: string;
}

/** What a lender has told. */
export interface Told {
  readonly lender: string;
  readonly path: string;
  readonly key: string;
  readonly body: Json;
  readonly claims: Json | null;
  /** On the process's own clock. */
  readonly atMs: number;
}

/**
 * Stands in for Rinpath, with nothing of the lender's code: its own keys, the questions signed by
 * `jose` itself, and the address that lenders tell things to.
 */
export class RinpathStandIn {
  readonly told: Told[] = [];
  /** What the next messages are answered instead of 202. */
  readonly refusals: number[] = [];
  /** How many of the next answers to messages bear no signature. */
  unsigned = 0;
  private readonly server = createServer((request, response) => {
    void this.serve(request, response);
  });
  private readonly lenderKeys = new Map<string, ReturnType<typeof createLocalJWKSet>>();
  /** Where it listens; it may still be answering when it does so no longer. */
  url = '';
  private keys!: { publicKey: CryptoKey; privateKey: CryptoKey };
  /** Where the lenders' own addresses begin. */
  lendersUrl = '';

  async start(): Promise<this> {
    this.keys = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** A question in its usual form; `fields` are what it says beyond that. */
  async ask(lender: string, call: string, fields: Json, twist: Twist = {}): Promise<LenderAnswer> {
    const key = twist.key ?? `qst_${randomUUID()}`;
    const opening = {
      questionId: key,
      subject: { kind: 'JOURNEY', id: 'jrn_1' },
      applicationId: 'app_1',
      productCode: 'ONLINE_PERSONAL',
    };
    const body = twist.body ?? JSON.stringify({ ...opening, ...fields });
    const headers = { 'content-type': 'application/json', 'idempotency-key': key };
    return this.send(lender, call, { ...twist, body, headers: { ...headers, ...twist.headers } });
  }

  async loan(lender: string, reference: string): Promise<LenderAnswer> {
    return this.send(lender, `loans/${reference}`, { method: 'GET' });
  }

  /** Forgets which keys a lender had. */
  forgetKeys(): void {
    this.lenderKeys.clear();
  }

  async send(lender: string, call: string, twist: Twist): Promise<LenderAnswer> {
    const url = `${this.lendersUrl}/${lender}/${call}`;
    const method = twist.method ?? 'POST';
    const claims = this.claims(method, url);
    const { jti } = claims;
    const signed = twist.signedBody ?? twist.body ?? '';
    const signature =
      twist.signature === undefined
        ? await this.sign(signed, { ...claims, ...twist.claims }, twist.signWith)
        : twist.signature;
    const response = await fetch(url, {
      method,
      headers: {
        'rlp-version': '1',
        ...(signature !== null && { 'x-jws-signature': signature }),
        ...twist.headers,
      },
      ...(twist.body !== undefined && { body: twist.body }),
      signal: twist.signal ?? AbortSignal.timeout(twist.timeoutMs ?? 30_000),
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const text = new TextDecoder().decode(bytes);
    const held = await this.verify(lender, response.headers.get('x-jws-signature'), bytes);
    const { status, headers } = response;
    return {
      status,
      headers,
      text,
      body: parse(text),
      claims: held,
      jti: (twist.claims?.jti as string) ?? jti,
    };
  }

  /** What a right request says of itself. */
  claims(method: string, url: string) {
    const iat = Math.floor(Date.now() / 1000);
    return { jti: `jti-${randomUUID()}`, iat, htm: method, htu: url };
  }

  get privateKey(): CryptoKey {
    return this.keys.privateKey;
  }

  async sign(body: string, claims: Json, key = this.keys.privateKey): Promise<string> {
    const header = { alg: 'EdDSA', kid: 'rinpath-1', b64: false, crit: ['b64'], ...claims };
    const jws = await new FlattenedSign(new TextEncoder().encode(body))
      .setProtectedHeader(header)
      .sign(key, { crit: { b64: true } });
    return `${jws.protected}..${jws.signature}`;
  }

  async verify(lender: string, signature: string | null, bytes: Uint8Array): Promise<Json | null> {
    const [header = '', nothing, value = ''] = signature?.split('.') ?? [];
    if (nothing !== '') return null;
    const keys = this.lenderKeys.get(lender) ?? (await this.fetchKeys(lender));
    try {
      const jws = { protected: header, payload: bytes, signature: value };
      const { protectedHeader } = await flattenedVerify(jws, keys);
      return protectedHeader as Json;
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
    if (request.url === '/.well-known/rlp-jwks.json') {
      const jwk = { ...(await exportJWK(this.keys.publicKey)), kid: 'rinpath-1', alg: 'EdDSA' };
      response.end(JSON.stringify({ keys: [jwk] }));
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks);
    const [, lender = '', path = ''] = /^\/lender-api\/v1\/([^/]+)\/(.+)$/.exec(request.url!) ?? [];
    const shown = request.headers['x-jws-signature'] as string | undefined;
    const claims = await this.verify(lender, shown ?? null, raw);
    const key = String(request.headers['idempotency-key']);
    this.told.push({
      lender,
      path,
      key,
      body: parse(raw.toString('utf8')),
      claims,
      atMs: performance.now(),
    });
    const status = this.refusals.shift() ?? (claims ? 202 : 401);
    const body = JSON.stringify({ id: key, status: 'RECEIVED' });
    const answer = {
      jti: `jti-${randomUUID()}`,
      iat: Math.floor(Date.now() / 1000),
      htu: `${this.url}${request.url}`,
      status,
      req: claims?.jti,
    };
    const signature = await this.sign(body, answer);
    const isSigned = this.unsigned === 0;
    if (!isSigned) this.unsigned -= 1;
    response.writeHead(status, isSigned ? { 'x-jws-signature': signature } : {}).end(body);
  }
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return {};
  }
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
