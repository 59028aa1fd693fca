import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Driver } from '../support/driver.ts';
import { demoLoadKey, signedHeaders, SignedClient } from '../support/signed-client.ts';
import { untilQuiet } from '../support/until-quiet.ts';
import { forkWith } from '../webhooks/ground.ts';
import { drive, readOrder, type Served, startOrder } from './rates.ts';

/** Few in parallel: this measures waiting, not throughput. */
const READING = 4;
const STARTING = 2;
const READS = 3_000;
const STARTS = 300;
const WEBHOOKS = '/api/v1/partner/webhooks';
/** Above the applicants of other measurements. */
const FIRST_LOT = 100;

let lots = FIRST_LOT;

/** Calls on the tables whose month is dropped: reads, and new journeys whose events are delivered. */
export class OldCalls {
  private readonly served: Served;
  private readonly receiver: ChildProcess;
  private readonly subscription: string;
  private readonly readers = new Driver();
  private readonly starters = new Driver();

  private constructor(served: Served, receiver: ChildProcess, subscription: string) {
    this.served = served;
    this.receiver = receiver;
    this.subscription = subscription;
  }

  /** Subscribes to the partner's events, and warms the service up. */
  static async begin(served: Served): Promise<OldCalls> {
    const receiver = forkWith('receiver.ts', {});
    const [{ ports }] = (await once(receiver, 'message')) as [{ ports: number[] }];
    const partner = new SignedClient(served.service.baseUrl);
    const body = JSON.stringify({ url: `http://127.0.0.1:${ports[0]}/hooks` });
    const answer = JSON.parse(await partner.post(WEBHOOKS, body)) as {
      data: { subscriptionId: string };
    };
    partner.close();
    const calls = new OldCalls(served, receiver, answer.data.subscriptionId);
    await calls.longest();
    return calls;
  }

  /** The longest call of one batch of calls, in milliseconds. */
  async longest(): Promise<number> {
    const { served } = this;
    const reads = readOrder(served.side.realJourneys, READS);
    const list = `${WEBHOOKS}/${this.subscription}/deliveries`;
    const mixed = { ...reads, targets: reads.targets.flatMap((target) => [target, list]) };
    const headers = reads.headers.flatMap((header) => [header, {}]);
    const results = await Promise.all([
      drive(this.readers, served, { ...mixed, headers }, READING),
      drive(this.starters, served, startOrder((lots += 1), STARTS), STARTING),
    ]);
    return Math.max(...results.map(({ longest }) => longest));
  }

  /** The longest call of repeated batches, until `over` ends. */
  async longestUntil(over: Promise<unknown>): Promise<number> {
    const ended = new AbortController();
    const end = () => ended.abort();
    void over.then(end, end);
    let longest = 0;
    while (!ended.signal.aborted) longest = Math.max(longest, await this.longest());
    return longest;
  }

  /** Deletes the subscription at the end. */
  async end(): Promise<void> {
    this.readers.close();
    this.starters.close();
    await untilQuiet(this.served.side.client);
    const { baseUrl } = this.served.service;
    const target = `${WEBHOOKS}/${this.subscription}`;
    const headers = signedHeaders(demoLoadKey(), { method: 'DELETE', target, body: '' });
    const answer = await fetch(`${baseUrl}${target}`, { method: 'DELETE', headers });
    this.receiver.kill();
    if (!answer.ok) throw new Error(`the subscription stays: ${answer.status}`);
  }
}
