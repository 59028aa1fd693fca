import { randomBytes, randomUUID } from 'node:crypto';
import {
  headerOf,
  type Header,
  type Reading,
  readSignature,
  signDetached,
} from './detached-jws.ts';
import type { SigningKey } from './detached-jws.ts';
import type { LenderKeys } from './lender-keys.ts';

/** One call and its answer. */
export interface Exchange {
  /** The name of a question, or `LOANS` or `OTHER`. */
  readonly name: string;
  readonly method: string;
  readonly url: string;
  /** The request's signature; null: none. */
  readonly sentSignature: string | null;
  /** The request's jti. */
  readonly jti: string;
  /** Whether the lender can verify that Rinpath sent it; if not, its answer need not be signed. */
  readonly isOurs: boolean;
  readonly askedAt: Date;
  /** 0 without an answer. */
  readonly status: number;
  readonly failure: string | null;
  readonly headers: Headers;
  readonly body: Buffer;
  /** Undefined when the body is not JSON. */
  readonly json: unknown;
  readonly seconds: number;
  readonly signature: Reading;
}

export interface Call {
  readonly name: string;
  readonly method?: 'GET' | 'POST';
  /** Below the lender's address. */
  readonly path: string;
  readonly body?: Buffer;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Wrong parts of the signature. */
  readonly forge?: Forgery;
}

export interface Forgery {
  readonly signer?: SigningKey;
  readonly claims?: Header;
  readonly signedBody?: Buffer;
  /** Null: no signature. */
  readonly signature?: string | null;
}

/** The protocol's limit of a call; the suite waits longer to see late answers. */
export const CALL_SECONDS = 10;
const PATIENCE_MS = (CALL_SECONDS + 5) * 1000;
const MAX_BYTES = 4 * 1024 * 1024;

/** Calls the lender as Rinpath does, and stores every exchange for the cases that check all of them. */
export class LenderClient {
  readonly exchanges: Exchange[] = [];
  readonly url: string;
  readonly #keys: LenderKeys;
  readonly #signer: SigningKey;

  constructor(url: string, signer: SigningKey, keys: LenderKeys) {
    this.url = url.replace(/\/+$/, '');
    this.#signer = signer;
    this.#keys = keys;
  }

  get signer(): SigningKey {
    return this.#signer;
  }

  async send(call: Call): Promise<Exchange> {
    const { name, method = 'POST', path, body, key, forge } = call;
    const url = `${this.url}${path}`;
    const forged = forge?.claims?.['jti'];
    const jti = typeof forged === 'string' ? forged : randomUUID();
    const signature = await this.#sign(call, url, method, jti);
    const headers = headersOf({
      ...(body && { 'content-type': 'application/json' }),
      'rlp-version': '1',
      traceparent: `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`,
      'accept-encoding': 'identity',
      ...(key !== undefined && { 'idempotency-key': key }),
      'x-jws-signature': signature,
      ...call.headers,
    });
    const askedAt = new Date();
    const begun = performance.now();
    const got = await receive(url, {
      method,
      headers,
      ...(body && { body: new Uint8Array(body) }),
    });
    const seconds = (performance.now() - begun) / 1000;
    const text = got.headers.get('x-jws-signature');
    const reading = await readSignature(text, got.body, this.#keys.find);
    const sent = { name, method, url, sentSignature: signature, jti };
    const known = { ...sent, isOurs: !forge, askedAt, seconds };
    const exchange = { ...known, ...got, json: parse(got.body), signature: reading };
    this.exchanges.push(exchange);
    return exchange;
  }

  async #sign(call: Call, url: string, method: string, jti: string): Promise<string | null> {
    const { body = Buffer.alloc(0), forge } = call;
    if (forge?.signature !== undefined) return forge.signature;
    const claims = { iat: nowInSeconds(), jti, htm: method, htu: url, ...forge?.claims };
    return signDetached(forge?.signedBody ?? body, forge?.signer ?? this.#signer, claims);
  }
}

export function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** The claims of the answer's signature, valid or not. */
export function claimsOf(exchange: Exchange): Header {
  return headerOf(exchange.signature);
}

export function errorCode({ json }: Exchange): string | undefined {
  return (json as { error?: { code?: string } } | null | undefined)?.error?.code;
}

/** For the report, shortened. */
export function describe({ status, failure, body }: Exchange): string {
  if (status === 0) return `no answer (${failure})`;
  const text = body.toString('utf8').replaceAll(/\s+/g, ' ');
  return `${status} ${text.length > 200 ? `${text.slice(0, 200)}…` : text}`.trim();
}

type Received = Pick<Exchange, 'status' | 'failure' | 'headers' | 'body'>;

async function receive(url: string, init: RequestInit): Promise<Received> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(url, { ...init, redirect: 'manual', signal });
    const body = await readCapped(response);
    return { status: response.status, failure: null, headers: response.headers, body };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const failure = cause instanceof Error ? cause.message : 'the connection failed';
    return { status: 0, failure, headers: new Headers(), body: Buffer.alloc(0) };
  }
}

async function readCapped(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk as Uint8Array);
    size += (chunk as Uint8Array).length;
    if (size > MAX_BYTES) break;
  }
  return Buffer.concat(chunks);
}

function headersOf(values: Readonly<Record<string, string | null>>): Record<string, string> {
  const kept = Object.entries(values).filter((entry): entry is [string, string] => {
    return entry[1] !== null;
  });
  return Object.fromEntries(kept);
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
