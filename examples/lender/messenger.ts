import { setTimeout as sleep } from 'node:timers/promises';
import { NotSigned, signDetached, verifyDetached } from './detached-jws.ts';
import type { FlattenedVerifyGetKey } from 'jose';
import type { Fault, FaultSwitch } from './faults.ts';
import type { LenderKeys } from './lender-keys.ts';
import type { MessageBox, QueuedMessage } from './message-box.ts';
import { spoil } from './spoiled-bodies.ts';
import type { World } from './world.ts';

const TIMEOUT_MS = 10_000;
const AT_ONCE = 50;
const STALE_S = 3_600;
const VERSION = '1';
/** These statuses mean that the message itself is wrong: no retry. */
const FINAL = new Set([400, 403, 404, 409, 410, 413, 415, 422]);

export interface MessengerParts {
  readonly messages: MessageBox;
  readonly keys: LenderKeys;
  readonly faults: FaultSwitch;
  readonly world: World;
  /** `.../lender-api/v1` */
  readonly address: string;
  readonly rinpathKeys: FlattenedVerifyGetKey;
  readonly stranger: (lender: string) => string;
}

/** Rinpath's response to a message. */
export interface Receipt {
  readonly status: number;
  readonly isSigned: boolean;
  readonly body: string;
}

/** Sends the outbox to Rinpath until each message is accepted. */
export class Messenger {
  readonly #parts: MessengerParts;
  readonly #ending = new AbortController();

  constructor(parts: MessengerParts) {
    this.#parts = parts;
  }

  async tellDue(): Promise<void> {
    const due = this.#parts.messages.due(AT_ONCE);
    await Promise.all(due.map((message) => this.#tell(message)));
  }

  /** Messages in progress are sent again after the next start. */
  stop(): void {
    this.#ending.abort();
  }

  async #tell(message: QueuedMessage): Promise<void> {
    const { messages, faults } = this.#parts;
    const fault = faults.take(message.lender, message.path);
    if (fault?.kind === 'silent' || fault?.kind === 'late' || fault?.kind === 'out-of-order') {
      messages.hold(message, fault.kind === 'out-of-order' ? null : fault.seconds);
      return;
    }
    let outcome: string;
    let isTaken = false;
    try {
      const receipt = await this.send(message, fault);
      if (fault?.kind === 'twice') await this.send(message, null);
      // A response without Rinpath's signature does not count, whatever its status.
      isTaken = receipt.isSigned && receipt.status === 202;
      outcome = receipt.isSigned ? `${receipt.status}` : `${receipt.status} unsigned`;
      if (!isTaken && receipt.isSigned && FINAL.has(receipt.status)) isTaken = true;
    } catch (error) {
      outcome = error instanceof Error ? error.name : 'unreachable';
    }
    if (isTaken) messages.end(message, outcome);
    else messages.postpone(message, outcome);
  }

  /** @throws Error without a response in time */
  async send(
    message: Pick<QueuedMessage, 'lender' | 'path' | 'id' | 'body'>,
    fault: Fault | null,
  ): Promise<Receipt> {
    const { world, address, keys, stranger } = this.#parts;
    const { lender, path, id } = message;
    const kind = fault?.kind;
    if (kind === 'slow') await sleep((fault?.seconds ?? 0) * 1000);
    const url = `${address}/${lender}/${path}`;
    const body = Buffer.from(kind ? spoil(kind, message.body) : message.body);
    const now = Math.floor(world.realNow().getTime() / 1000);
    const jti = world.newId('jti');
    const iat = kind === 'stale-signature' ? now - STALE_S : now;
    const key = keys.current(kind === 'other-key' ? stranger(lender) : lender);
    const signed = kind === 'wrong-signature' ? Buffer.concat([body, Buffer.from(' ')]) : body;
    const htu = kind === 'other-question' ? `${address}/${stranger(lender)}/${path}` : url;
    const signature = await signDetached(signed, key, { iat, jti, htm: 'POST', htu });
    const response = await fetch(url, {
      method: 'POST',
      body: kind === 'half-body' ? body.subarray(0, body.length / 2) : body,
      headers: {
        'content-type': 'application/json',
        'rlp-version': VERSION,
        'idempotency-key': id,
        ...(kind === 'unsigned' ? {} : { 'x-jws-signature': signature }),
      },
      redirect: 'error',
      signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), this.#ending.signal]),
    });
    const answer = Buffer.from(await response.arrayBuffer());
    const isSigned = await this.#isAnswerTo(response, answer, url, jti);
    return { status: response.status, isSigned, body: answer.toString('utf8') };
  }

  async #isAnswerTo(response: Response, body: Buffer, url: string, jti: string): Promise<boolean> {
    const signature = response.headers.get('x-jws-signature') ?? undefined;
    try {
      const claims = await verifyDetached(signature, body, this.#parts.rinpathKeys);
      return claims['req'] === jti && claims['htu'] === url && claims['status'] === response.status;
    } catch (error) {
      if (error instanceof NotSigned) return false;
      throw error;
    }
  }
}
