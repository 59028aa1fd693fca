import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Checks } from './checks.ts';
import type { WebhookEvent } from '../../clients/node/src/index.ts';
import type { Timeline } from './timeline.ts';
import { verifyDelivery } from './webhook-verifier.ts';

export interface Delivery {
  headers: IncomingHttpHeaders;
  rawBody: Buffer;
  event: WebhookEvent;
  /** True when an earlier delivery had the event. */
  repeated: boolean;
  /** The secret that verified it. */
  secret: string;
}

const PATH = '/webhooks/loans';
const MAX_BODY_BYTES = 1_000_000;
const LOOK_AGAIN_MS = 50;

/** Receives the service's events: verified on the raw bytes, each handled once. */
export class WebhookReceiver {
  readonly #checks: Checks;
  readonly #timeline: Timeline;
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #events = new Map<string, WebhookEvent>();
  #secret: Promise<string> = Promise.reject(new Error('No secret yet.'));
  #stumbleOnce = false;

  readonly deliveries: Delivery[] = [];
  refused = 0;

  constructor(checks: Checks, timeline: Timeline) {
    this.#checks = checks;
    this.#timeline = timeline;
    // A delivery before any known secret is refused; the rejection is handled there.
    this.#secret.catch(() => undefined);
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    const address = this.#server.address();
    if (typeof address !== 'object' || !address) throw new Error('The receiver has no port.');
    return `http://127.0.0.1:${address.port}${PATH}`;
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  /**
   * Deliveries during the change wait for the new secret: right after a rotation the service may already sign with it.
   */
  async changeSecret(obtain: () => Promise<string>): Promise<string> {
    const pending = obtain();
    this.#secret = pending;
    pending.catch(() => undefined);
    return pending;
  }

  /** Handles the next new event but answers 503, as after a crash. */
  stumbleOverNextEvent(): void {
    this.#stumbleOnce = true;
  }

  /** The events of one journey in order of sequence. */
  eventsOf(journeyId: string): WebhookEvent[] {
    const own = [...this.#events.values()].filter((event) => event.journeyId === journeyId);
    return own.toSorted((first, second) => first.sequence - second.sequence);
  }

  /** Waits for `count` events of the journey or the time limit; the caller checks the number. */
  async waitForEvents(journeyId: string, count: number, milliseconds: number): Promise<void> {
    await this.waitUntil(() => this.eventsOf(journeyId).length >= count, milliseconds);
  }

  async waitUntil(holds: () => boolean, milliseconds: number): Promise<void> {
    const end = performance.now() + milliseconds;
    while (!holds() && performance.now() < end) await sleep(LOOK_AGAIN_MS);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (request.method !== 'POST' || request.url !== PATH) {
        answer(response, 404);
        return;
      }
      const rawBody = await readRawBody(request);
      answer(response, rawBody ? await this.#take(request.headers, rawBody) : 413);
    } catch {
      answer(response, 500);
    }
  }

  async #take(headers: IncomingHttpHeaders, rawBody: Buffer): Promise<number> {
    const secret = await this.#secret.catch(() => '');
    const verdict = verifyDelivery(secret, rawBody, headers);
    if (!secret || !verdict.ownCode || !verdict.library || verdict.mistake !== undefined) {
      this.refused += 1;
      const opinions = `own code: ${verdict.ownCode}, library: ${verdict.library}`;
      const mistake = verdict.mistake ?? 'the contract’s header does not match';
      this.#timeline.tell('webhook', `refused a delivery (${opinions}): ${mistake}`);
      return 400;
    }
    const event = readEvent(rawBody);
    const repeated = this.#events.has(event.id);
    this.#events.set(event.id, this.#events.get(event.id) ?? event);
    this.deliveries.push({ headers, rawBody, event, repeated, secret });
    const again = repeated ? ', already seen, not handled again' : '';
    const which = `${event.event} (${event.sequence}) of …${event.journeyId.slice(-8)}`;
    this.#checks.that(true, `webhook ${which} verified by our code, helper and library${again}`);
    return this.#answerTo(event, repeated);
  }

  #answerTo(event: WebhookEvent, repeated: boolean): number {
    if (!this.#stumbleOnce || repeated) return 200;
    this.#stumbleOnce = false;
    this.#timeline.tell('webhook', `handles ${event.event} but answers 503, to trigger a retry`);
    return 503;
  }
}

/** Called only after verification, so the service wrote these bytes. */
function readEvent(rawBody: Buffer): WebhookEvent {
  return JSON.parse(rawBody.toString('utf8')) as WebhookEvent;
}

async function readRawBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function answer(response: ServerResponse, status: number): void {
  response.writeHead(status).end();
}
