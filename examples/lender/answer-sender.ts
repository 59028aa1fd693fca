import type { ServerResponse } from 'node:http';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { signDetached } from './detached-jws.ts';
import type { Fault } from './faults.ts';
import type { LenderKeys } from './lender-keys.ts';
import type { Answer } from './question-desk.ts';
import { spoil } from './spoiled-bodies.ts';
import type { World } from './world.ts';

/** The request; its answer is bound to it. */
export interface AnsweredRequest {
  readonly lender: string;
  readonly url: string;
  /** Its `jti`; null while the caller is unknown: then the answer is unsigned. */
  readonly jti: string | null;
}

const STALE_S = 3_600;
const BOMB_BYTES = 10 * 1024 * 1024;
const ENDLESS_CHUNK = Buffer.alloc(16 * 1024, ' ');
const ENDLESS_PAUSE_MS = 20;

/** Signs and sends answers; applies ordered faults. */
export class AnswerSender {
  readonly #keys: LenderKeys;
  readonly #world: World;
  /** Another lender's code, for a wrong signature. */
  readonly #stranger: (lender: string) => string;

  constructor(keys: LenderKeys, world: World, stranger: (lender: string) => string) {
    this.#keys = keys;
    this.#world = world;
    this.#stranger = stranger;
  }

  async send(
    response: ServerResponse,
    request: AnsweredRequest,
    answer: Answer,
    fault: Fault | null = null,
  ): Promise<void> {
    const kind = fault?.kind;
    if (kind === 'silent') return;
    if (kind === 'slow') await pause(response, fault?.seconds ?? 0);
    const body = Buffer.from(kind ? spoil(kind, answer.body) : answer.body);
    response.statusCode = answer.status;
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.setHeader('cache-control', 'no-store');
    if (request.jti !== null && kind !== 'unsigned') {
      response.setHeader('x-jws-signature', await this.#sign(request, answer.status, body, fault));
    }
    await deliver(response, body, fault);
  }

  async #sign(
    { lender, url, jti }: AnsweredRequest,
    status: number,
    body: Buffer,
    fault: Fault | null,
  ): Promise<string> {
    const kind = fault?.kind;
    const key = this.#keys.current(kind === 'other-key' ? this.#stranger(lender) : lender);
    const now = Math.floor(this.#world.realNow().getTime() / 1000);
    const claims = {
      iat: kind === 'stale-signature' ? now - STALE_S : now,
      jti: this.#world.newId('jti'),
      htu: url,
      status,
      req: kind === 'other-question' || jti === null ? this.#world.newId('jti') : jti,
    };
    // Signs other bytes than it sends.
    const signed = kind === 'wrong-signature' ? Buffer.concat([body, Buffer.from(' ')]) : body;
    return signDetached(signed, key, claims);
  }
}

async function deliver(response: ServerResponse, body: Buffer, fault: Fault | null): Promise<void> {
  if (fault?.kind === 'half-body') {
    response.setHeader('content-length', body.length);
    response.write(body.subarray(0, body.length / 2), () => response.destroy());
    return;
  }
  if (fault?.kind === 'endless') {
    await pourEndlessly(response);
    return;
  }
  if (fault?.kind === 'gzip-bomb') {
    response.setHeader('content-encoding', 'gzip');
    response.end(gzipSync(Buffer.alloc(BOMB_BYTES, ' ')));
    return;
  }
  response.setHeader('content-length', body.length);
  response.end(body);
}

async function pourEndlessly(response: ServerResponse): Promise<void> {
  response.write('{"answerId":"');
  while (!response.destroyed) {
    // Waits for the caller to read or to close the connection.
    if (!response.write(ENDLESS_CHUNK))
      await Promise.race([once(response, 'drain'), gone(response)]);
    await sleep(ENDLESS_PAUSE_MS);
  }
}

/** At most as long as the caller waits. */
async function pause(response: ServerResponse, seconds: number): Promise<void> {
  const leaving = new AbortController();
  response.once('close', () => leaving.abort());
  await sleep(seconds * 1000, undefined, { signal: leaving.signal }).catch(() => undefined);
}

function gone(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.once('close', () => resolve()));
}
