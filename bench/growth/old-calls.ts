import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Driver } from '../support/driver.ts';
import { demoLoadKey, signedHeaders, SignedClient } from '../support/signed-client.ts';
import { untilQuiet } from '../support/until-quiet.ts';
import { forkWith } from '../webhooks/ground.ts';
import { drive, readOrder, type Served, startOrder } from './rates.ts';

/** Few at a time: what is measured is how long one waits, not the most that is served. */
const READING = 4;
const STARTING = 2;
const READS = 3_000;
const STARTS = 300;
const WEBHOOKS = '/api/v1/partner/webhooks';
/** Beyond those of the applicants who are measured elsewhere. */
const FIRST_LOT = 100;

let lots = FIRST_LOT;

/** Calls that come to the tables of which a month is dropped: reads and new journeys, whose events are delivered. */
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

  /** Has the partner's events delivered from now on, and warms the service up. */
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

  /** Of a lot of calls; milliseconds. */
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

  /** Of one lot after the other, until something is over. */
  async longestUntil(over: Promise<unknown>): Promise<number> {
    const ended = new AbortController();
    const end = () => ended.abort();
    void over.then(end, end);
    let longest = 0;
    while (!ended.signal.aborted) longest = Math.max(longest, await this.longest());
    return longest;
  }

  /** Afterwards no subscription gets the events, as before. */
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
