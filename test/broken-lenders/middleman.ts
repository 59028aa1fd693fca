import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import {
  type Header,
  readSignature,
  signDetached,
  type SigningKey,
} from '../../examples/lender-check/wire/detached-jws.ts';
import { importJWK, type CryptoKey } from 'jose';

export type Json = Record<string, unknown>;

/** A signed message that the proxy may change. */
export interface Draft {
  readonly call: string;
  readonly request: Json;
  status: number;
  body: Json;
  headers: Record<string, string>;
  claims: Record<string, unknown>;
  signedText?: string;
  isSigned: boolean;
}

export interface Incoming {
  readonly call: string;
  readonly method: string;
  readonly body: Json | null;
  readonly headers: Record<string, string>;
  readonly claims: Header | null;
  readonly holds: boolean;
}

export interface Change {
  readonly request?: (incoming: Incoming, context: Map<string, unknown>) => Json | boolean;
  readonly answer?: (draft: Draft, context: Map<string, unknown>) => void;
  readonly callback?: (draft: Draft) => void;
  readonly takesAsReceipt?: (status: number, isSigned: boolean) => boolean;
  readonly jwks?: (jwks: { keys: Json[] }) => void;
  readonly keepsVisitors?: boolean;
}

export interface MiddlemanParts {
  readonly lenderUrl: string;
  readonly rinpathUrl: string;
  readonly publicUrl: string;
  readonly rinpathKeys: readonly SigningKey[];
  readonly lenderKey: SigningKey;
  readonly change: Change;
}

interface Reply {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

const RINPATH = '/rinpath';
const PASSED_ON = [
  'content-type',
  'rlp-version',
  'idempotency-key',
  'x-jws-signature',
  'location',
  'retry-after',
  'cookie',
];

/** A proxy before the reference lender. It has the lender's keys and Rinpath's, and introduces one fault. */
export class Middleman {
  readonly #parts: MiddlemanParts;
  readonly #server: Server;
  readonly #context = new Map<string, unknown>();

  constructor(parts: MiddlemanParts) {
    this.#parts = parts;
    this.#server = createServer((request, response) => {
      this.#serve(request)
        .then((reply) => send(response, reply))
        .catch(() => response.destroy());
    });
  }

  async start(port: number): Promise<void> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage): Promise<Reply> {
    const path = request.url ?? '/';
    const body = await readAll(request);
    const headers = pick(Object.entries(request.headers));
    const method = request.method ?? 'GET';
    if (path.startsWith(RINPATH)) return this.#callback(path, headers, body);
    const [, , call = ''] = path.split('/');
    if (call === 'jwks.json') return this.#jwks(path);
    if (call === 'visits') return this.#visit(path, method, headers, body);
    return this.#question(path, call, method, headers, body);
  }

  async #question(
    path: string,
    call: string,
    method: string,
    headers: Record<string, string>,
    body: Buffer,
  ): Promise<Reply> {
    const { lenderUrl, publicUrl, rinpathKeys, change } = this.#parts;
    const fields = parse(body);
    const wish = await this.#wish(call, method, headers, body);
    let sent = body;
    const passed = { ...headers };
    if (wish !== undefined && wish !== false && rinpathKeys[0]) {
      if (wish !== true) sent = Buffer.from(JSON.stringify(wish));
      const iat = Math.floor(Date.now() / 1000);
      const fresh = { iat, jti: randomUUID(), htm: method, htu: `${publicUrl}${path}` };
      passed['x-jws-signature'] = await signDetached(sent, rinpathKeys[0], fresh);
    }
    const reply = await forward(`${lenderUrl}${path}`, method, passed, sent);
    if (!change.answer && wish === undefined) return reply;
    const jti = claimsOf(headers['x-jws-signature'])?.['jti'];
    return this.#answer(call, fields ?? {}, reply, jti === undefined ? {} : { req: jti });
  }

  async #wish(
    call: string,
    method: string,
    headers: Record<string, string>,
    body: Buffer,
  ): Promise<Json | boolean | undefined> {
    const { change } = this.#parts;
    if (!change.request) return undefined;
    const reading = await readSignature(headers['x-jws-signature'], body, this.#ourKey);
    const claims = 'header' in reading ? reading.header : null;
    const holds = reading.state === 'HOLDS';
    const incoming = { call, method, body: parse(body), headers, claims, holds };
    return change.request(incoming, this.#context);
  }

  async #answer(call: string, request: Json, reply: Reply, bound: Json): Promise<Reply> {
    const { lenderKey, change } = this.#parts;
    const header = claimsOf(reply.headers['x-jws-signature']);
    const draft: Draft = {
      call,
      request,
      status: reply.status,
      body: parse(reply.body) ?? {},
      headers: { ...reply.headers },
      claims: { ...header, ...bound },
      isSigned: header !== null,
    };
    const status = draft.status;
    change.answer?.(draft, this.#context);
    if (draft.claims['status'] === status) draft.claims['status'] = draft.status;
    const text = JSON.stringify(draft.body);
    delete draft.headers['x-jws-signature'];
    if (draft.isSigned) {
      const signed = Buffer.from(draft.signedText ?? text);
      draft.headers['x-jws-signature'] = await signDetached(signed, lenderKey, draft.claims);
    }
    return { status: draft.status, headers: draft.headers, body: Buffer.from(text) };
  }

  async #callback(path: string, headers: Record<string, string>, body: Buffer): Promise<Reply> {
    const { rinpathUrl, lenderKey, rinpathKeys, change, publicUrl } = this.#parts;
    const passed = { ...headers };
    let sent = body;
    const claims = claimsOf(headers['x-jws-signature']) ?? {};
    if (change.callback) {
      const call = path.slice(path.lastIndexOf('/') + 1);
      const received = parse(body) ?? {};
      const draft: Draft = {
        call,
        request: received,
        status: 0,
        body: structuredClone(received),
        headers: passed,
        claims: { ...claims },
        isSigned: true,
      };
      change.callback(draft);
      sent = Buffer.from(JSON.stringify(draft.body));
      delete passed['x-jws-signature'];
      if (draft.isSigned) {
        passed['x-jws-signature'] = await signDetached(sent, lenderKey, draft.claims);
      }
    }
    const reply = await forward(`${rinpathUrl}${path.slice(RINPATH.length)}`, 'POST', passed, sent);
    const isSigned = 'x-jws-signature' in reply.headers;
    if (!change.takesAsReceipt?.(reply.status, isSigned) || !rinpathKeys[0]) return reply;
    const text = JSON.stringify({ id: headers['idempotency-key'], status: 'RECEIVED' });
    const iat = Math.floor(Date.now() / 1000);
    const receipt = { iat, jti: randomUUID(), htu: `${publicUrl}${path}`, status: 202 };
    const bound = { ...receipt, req: claims['jti'] };
    const signature = await signDetached(Buffer.from(text), rinpathKeys[0], bound);
    return { status: 202, headers: { 'x-jws-signature': signature }, body: Buffer.from(text) };
  }

  async #jwks(path: string): Promise<Reply> {
    const { lenderUrl, change } = this.#parts;
    const reply = await forward(`${lenderUrl}${path}`, 'GET', {}, Buffer.alloc(0));
    const jwks = JSON.parse(reply.body.toString('utf8')) as { keys: Json[] };
    change.jwks?.(jwks);
    return { ...reply, body: Buffer.from(JSON.stringify(jwks)) };
  }

  async #visit(
    path: string,
    method: string,
    headers: Record<string, string>,
    body: Buffer,
  ): Promise<Reply> {
    const { lenderUrl, change } = this.#parts;
    const reply = await forward(`${lenderUrl}${path}`, method, headers, body);
    const leads = reply.headers['location']?.includes(RINPATH);
    if (!change.keepsVisitors || !leads) return reply;
    return { status: 200, headers: { 'content-type': 'text/html' }, body: Buffer.from('Done.') };
  }

  readonly #ourKey = async (kid: string): Promise<CryptoKey | null> => {
    const key = this.#parts.rinpathKeys.find((one) => one.kid === kid);
    return key ? ((await importJWK(key.publicJwk, key.alg)) as CryptoKey) : null;
  };
}

async function forward(
  url: string,
  method: string,
  headers: Record<string, string>,
  body: Buffer,
): Promise<Reply> {
  const init = method === 'GET' ? {} : { body: new Uint8Array(body) };
  const response = await fetch(url, { method, headers, redirect: 'manual', ...init });
  const received = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: pick([...response.headers]), body: received };
}

function pick(headers: Iterable<[string, unknown]>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of headers) {
    if (PASSED_ON.includes(name) && typeof value === 'string') kept[name] = value;
  }
  return kept;
}

function claimsOf(signature: string | undefined): Record<string, unknown> | null {
  const [head] = signature?.split('.') ?? [];
  return head ? parse(Buffer.from(head, 'base64url')) : null;
}

function parse(body: Buffer): Json | null {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Json) : null;
  } catch {
    return null;
  }
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function send(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, headers);
  response.end(body);
}
