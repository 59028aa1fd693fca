import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Reading, readSignature, signDetached, type SigningKey } from './detached-jws.ts';
import type { LenderKeys } from './lender-keys.ts';
import { nowInSeconds } from './lender-client.ts';
import { publicJwks } from './own-keys.ts';

/** A message from the lender. */
export interface Callback {
  /** `answers`, `loan-events`, … */
  readonly path: string;
  readonly method: string;
  /** The address as called. */
  readonly url: string;
  readonly receivedAt: Date;
  readonly key: string | undefined;
  readonly version: string | undefined;
  readonly body: Buffer;
  readonly json: unknown;
  readonly signature: Reading;
  readonly treatment: Treatment;
}

/** The response: a receipt, a failure, or an unsigned receipt. */
export type Treatment = 'RECEIPT' | 'UNAVAILABLE' | 'UNSIGNED_RECEIPT';

export interface ReceiverOptions {
  readonly port: number;
  readonly host: string;
  /** Its address for the lender; null: the listen address. */
  readonly publicUrl: string | null;
  readonly keys: readonly SigningKey[];
  readonly lenderKeys: LenderKeys;
}

const CALLBACK = /^\/lender-api\/v1\/[a-z0-9][a-z0-9-]{0,63}\/([a-z-]{1,40})$/;
const RETURN = /^\/return\/([A-Za-z0-9-]{1,60})$/;
const MAX_BYTES = 256 * 1024;
const LOOK_AGAIN_MS = 50;

/** Rinpath's endpoints: its keys, the lender's callbacks, and the return page. */
export class CallbackReceiver {
  readonly callbacks: Callback[] = [];
  readonly returned = new Set<string>();
  readonly #options: ReceiverOptions;
  readonly #server: Server;
  /** Treatments for the first delivery of each new message, in order, until the list is empty. */
  readonly #trials: Treatment[] = [];
  readonly #met = new Map<string, Treatment>();
  /** Whether it refuses all messages now. */
  isDown = false;

  constructor(options: ReceiverOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch(() => response.writeHead(500).end());
    });
  }

  async start(): Promise<void> {
    this.#server.listen(this.#options.port, this.#options.host);
    await once(this.#server, 'listening');
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  get url(): string {
    const { publicUrl, host } = this.#options;
    const { port } = this.#server.address() as AddressInfo;
    return publicUrl ?? `http://${host}:${port}`;
  }

  /** The next new message gets this treatment first. */
  tryOut(treatment: Treatment): void {
    this.#trials.push(treatment);
  }

  async waitFor(holds: (callbacks: readonly Callback[]) => boolean, ms: number): Promise<boolean> {
    const end = performance.now() + ms;
    while (!holds(this.callbacks) && performance.now() < end) await sleep(LOOK_AGAIN_MS);
    return holds(this.callbacks);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = ''] = (request.url ?? '').split('?');
    const back = RETURN.exec(path)?.[1];
    const callback = CALLBACK.exec(path)?.[1];
    if (path === '/.well-known/rlp-jwks.json') {
      sendJson(response, 200, JSON.stringify(publicJwks(this.#options.keys)));
    } else if (back !== undefined) {
      this.returned.add(back);
      response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
      response.end('You are back. This window can be closed.');
    } else if (callback !== undefined) {
      await this.#take(callback, path, request, response);
    } else {
      sendJson(response, 404, errorBody('not_found', 'There is no such path.'));
    }
  }

  async #take(
    name: string,
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const body = await readBody(request);
    const url = this.#addressOf(request, path);
    const header = request.headers['x-jws-signature'];
    const text = typeof header === 'string' ? header : null;
    const signature = await readSignature(text, body, this.#options.lenderKeys.find);
    const key = single(request.headers['idempotency-key']);
    const treatment = this.#treatmentOf(key ?? body.toString('utf8'));
    this.callbacks.push({
      path: name,
      method: request.method ?? '',
      url,
      receivedAt: new Date(),
      key,
      version: single(request.headers['rlp-version']),
      body,
      json: parse(body),
      signature,
      treatment,
    });
    await this.#reply(response, url, key ?? 'none', signature, treatment);
  }

  #treatmentOf(id: string): Treatment {
    if (this.isDown) return 'UNAVAILABLE';
    if (this.#met.has(id)) return 'RECEIPT';
    const treatment = this.#trials.shift() ?? 'RECEIPT';
    this.#met.set(id, treatment);
    return treatment;
  }

  async #reply(
    response: ServerResponse,
    url: string,
    id: string,
    signature: Reading,
    treatment: Treatment,
  ): Promise<void> {
    const isDown = treatment === 'UNAVAILABLE';
    const status = isDown ? 503 : 202;
    const text = isDown
      ? errorBody('unavailable', 'Not now.')
      : JSON.stringify({ id, status: 'RECEIVED' });
    const [signer] = this.#options.keys;
    if (signer && treatment !== 'UNSIGNED_RECEIPT' && 'header' in signature) {
      const req = signature.header['jti'];
      const claims = { iat: nowInSeconds(), jti: randomUUID(), htu: url, status, req };
      const signed = await signDetached(Buffer.from(text), signer, claims);
      response.setHeader('x-jws-signature', signed);
    }
    sendJson(response, status, text);
  }

  #addressOf(request: IncomingMessage, path: string): string {
    const { publicUrl } = this.#options;
    return `${publicUrl ?? `http://${request.headers.host ?? ''}`}${path}`;
  }
}

function sendJson(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(text);
}

function errorBody(code: string, message: string): string {
  return JSON.stringify({ error: { code, message } });
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_BYTES) break;
  }
  return Buffer.concat(chunks);
}

function single(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
