import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { DrivenJourney } from '../driven-journey.ts';
import type { FaultReport } from '../fault-run.ts';
import { Partner } from '../partner.ts';
import { Replica } from '../replica.ts';
import { SeededRandom } from '../seeded-random.ts';
import { settle } from '../settling.ts';
import { type EndpointName, ENDPOINTS, Endpoints } from './endpoints.ts';
import { KillPoints } from './kill-points.ts';
import { Poller } from './poller.ts';
import { Publisher } from './publisher.ts';
import { Standing } from './standing.ts';
import { TimeLeaps } from './time-leaps.ts';
import { WebhookVerdict } from './webhook-verdict.ts';

export interface WebhookFaultOptions {
  readonly databaseUrl: string;
  readonly seconds: number;
  readonly events: number;
  readonly journeys: number;
  readonly seed: number;
  readonly senders: number;
  readonly points: readonly string[];
  readonly crashes: boolean;
  readonly hangsForMs: number | null;
  readonly tell: (line: string) => void;
}

const DELETED = 'deleted';
const COMPARED = 'healthy' satisfies EndpointName;
const SETTLE_MS = 240_000;
// Longer than every lease; when all is healed, longer than the breaker's longest wait.
const LEAP_MS = 31_000;
const LEAP_WHEN_HEALED_MS = 601_000;
const STILL_MS = 1_200;
const OF_THE_RUN = ['The database is away', 'canceling statement due to lock timeout'];
/** What it logs when a busy machine keeps its thread waiting; more than so many are not the machine's. */
const TOO_LATE = 'too late to be sent';
const MAX_TOO_LATE = 100;
const IGNORED = [...OF_THE_RUN, TOO_LATE];
/** The upkeep looks twice a minute at what was to be made due and has not been for half a minute. */
const DRAINED_WITHIN_MS = 75_000;
const PUBLISHED_WITHIN = 0.9;
const LONG_SECONDS = 60;

/**
 * Drives journeys and publishes events all along while senders are killed and the database goes away, to receivers of
 * every kind; then heals everything, and judges what came of each event for each subscription.
 */
export async function runWebhookFaults(options: WebhookFaultOptions): Promise<FaultReport> {
  const run = await WebhookFaultRun.prepare(options);
  try {
    await run.underFire();
    await run.settle();
    return await run.judge();
  } finally {
    await run.end();
  }
}

class WebhookFaultRun {
  private readonly options: WebhookFaultOptions;
  private readonly replicas: readonly Replica[];
  private readonly endpoints: Endpoints;
  private readonly pool: Pool;
  private readonly partner: Partner;
  private readonly applicants: Partner;
  private readonly journeys: readonly DrivenJourney[];
  private readonly kills: KillPoints;
  private readonly leaps: TimeLeaps;
  private readonly standing: Standing;
  private readonly poller: Poller;
  private readonly subscriptions = new Map<string, string>();
  private readonly startedAt = performance.now();
  private publisher: Publisher | undefined;
  private driving: Promise<void> = Promise.resolve();
  private polling: Promise<void> = Promise.resolve();
  private isStopped = false;
  private parked = 0;

  private constructor(
    options: WebhookFaultOptions,
    replicas: readonly Replica[],
    endpoints: Endpoints,
  ) {
    this.options = options;
    this.replicas = replicas;
    this.endpoints = endpoints;
    this.pool = new Pool({ connectionString: options.databaseUrl, max: 2 });
    // A server that goes away takes idle connections with it.
    this.pool.on('error', () => undefined);
    this.partner = new Partner(replicas);
    this.applicants = new Partner(replicas);
    this.journeys = Array.from(
      { length: options.journeys },
      (_, index) => new DrivenJourney(this.applicants, options.seed, index),
    );
    this.standing = new Standing(this.pool);
    this.leaps = new TimeLeaps(this.pool, () => endpoints.openNow > 0);
    this.poller = new Poller(this.partner, new SeededRandom(options.seed + 3));
    const random = new SeededRandom(options.seed + 1);
    this.kills = new KillPoints(options.databaseUrl, replicas, random);
  }

  static async prepare(options: WebhookFaultOptions): Promise<WebhookFaultRun> {
    const names = Array.from({ length: options.senders }, (_, index) => `sender-${index + 1}`);
    const replicas = await Promise.all(
      names.map((name) => Replica.create(name, namedUrl(options.databaseUrl, name))),
    );
    const endpoints = await Endpoints.start(new SeededRandom(options.seed), options.hangsForMs);
    const run = new WebhookFaultRun(options, replicas, endpoints);
    try {
      await Promise.all(replicas.map((replica) => replica.start()));
      for (const name of [...Object.keys(ENDPOINTS), DELETED]) await run.subscribe(name);
      const random = new SeededRandom(options.seed + 2);
      run.publisher = await Publisher.connect(options.databaseUrl, random);
      return run;
    } catch (error) {
      await run.end();
      throw error;
    }
  }

  async underFire(): Promise<void> {
    const { seconds, events, journeys, seed, senders, points, tell } = this.options;
    tell(`seed ${seed}; ${events} events, ${journeys} journeys, ${senders} senders, ${seconds} s`);
    const forMs = seconds * 1_000;
    this.driving = this.drive(forMs * PUBLISHED_WITHIN);
    this.polling = this.poller.run();
    await Promise.all([
      this.publisher?.publish(events, forMs * PUBLISHED_WITHIN),
      this.kills.carryOut(points, forMs, this.options.crashes),
      sleep(forMs / 2).then(() => this.deleteOne()),
    ]);
    tell(`the killing is over: ${[...this.kills.hits].map((hit) => hit.join(' ')).join(', ')}`);
  }

  async settle(): Promise<void> {
    await this.untilOpenOnlyAt(['dead', 'hanging', 'gone']);
    this.parked = await this.standing.parked();
    this.options.tell(`only what is broken is still open; ${this.parked} deliveries are parked`);
    this.endpoints.isHealed = true;
    const enabled = await this.call('POST', `/webhooks/${this.subscriptions.get('gone')}/enable`);
    if (enabled !== 200) throw new Error(`enabling was answered ${enabled}`);
    await this.untilOpenOnlyAt([]);
    await this.untilDrained();
    this.poller.stop();
    await this.polling;
    await this.poller.readToTheEnd();
    this.options.tell('everything is finished');
  }

  async judge(): Promise<FaultReport> {
    const stops = await Promise.allSettled(this.replicas.map((replica) => replica.stop()));
    const verdict = new WebhookVerdict(this.pool, this.endpoints);
    for (const stop of stops) {
      if (stop.status === 'rejected') verdict.findings.push(String(stop.reason));
    }
    await verdict.pass(DELETED);
    verdict.onStream(this.poller.events, COMPARED);
    await verdict.onAlerts(this.poller.alerts);
    verdict.findings.push(...this.applicants.failures);
    const left = this.journeys.length - this.over();
    if (left > 0) verdict.findings.push(`${left} journeys never came to their end`);
    for (const { name, errors } of this.replicas) {
      const others = errors.filter((line) => !IGNORED.some((words) => line.includes(words)));
      for (const error of others) verdict.findings.push(`${name} logged ${error}`);
    }
    const tooLate = this.logged(TOO_LATE);
    if (tooLate > MAX_TOO_LATE) verdict.findings.push(`${tooLate} posts were ${TOO_LATE}`);
    if (await this.standing.isAnyUndrained())
      verdict.findings.push('retries were left to be made due');
    if (this.parked === 0) verdict.findings.push('nothing was parked, which proves nothing');
    if (this.options.seconds >= LONG_SECONDS) {
      const missed = this.options.points.filter((point) => !this.kills.hits.has(point));
      verdict.findings.push(...missed.map((point) => `nobody was hit ${point}`));
    }
    return {
      findings: verdict.findings,
      figures: {
        seconds: Math.round((performance.now() - this.startedAt) / 1_000),
        kills: this.replicas.reduce((sum, { kills }) => sum + kills, 0),
        ...Object.fromEntries(this.kills.hits),
        ...(await this.standing.figures()),
        journeysOver: this.over(),
        rolledBack: this.publisher?.rolledBack ?? 0,
        parked: this.parked,
        polled: this.poller.events.length,
        posts: verdict.posts,
        duplicates: verdict.duplicates,
        tooLate,
        leaps: this.leaps.count,
      },
    };
  }

  async end(): Promise<void> {
    this.isStopped = true;
    this.poller.stop();
    await Promise.allSettled(this.replicas.map((replica) => replica.stop()));
    await this.driving.catch(() => undefined);
    await this.polling.catch(() => undefined);
    await this.publisher?.close().catch(() => undefined);
    await this.endpoints.stop();
    await this.pool.end();
  }

  private async drive(startedWithinMs: number): Promise<void> {
    const gapMs = startedWithinMs / this.journeys.length;
    await Promise.all(
      this.journeys.map(async (journey, index) => {
        await sleep(gapMs * index);
        await journey.drive(() => this.isStopped);
      }),
    );
  }

  private logged(words: string): number {
    return this.replicas.flatMap(({ errors }) => errors).filter((line) => line.includes(words))
      .length;
  }

  private over(): number {
    return this.journeys.filter(({ isOver }) => isOver).length;
  }

  private async subscribe(name: string): Promise<void> {
    const body = { url: this.endpoints.url(name) };
    const call = { method: 'POST', path: '/webhooks', body } as const;
    const outcome = await this.partner.call(this.replicas[0], call);
    if (outcome.kind !== 'ANSWERED' || outcome.status !== 200) {
      throw new Error(`the subscription failed: ${JSON.stringify(outcome)}`);
    }
    this.subscriptions.set(name, outcome.json.data.subscriptionId as string);
  }

  private async deleteOne(): Promise<void> {
    while ((await this.call('DELETE', `/webhooks/${this.subscriptions.get(DELETED)}`)) !== 200) {
      await sleep(200);
    }
  }

  private async call(method: 'POST' | 'DELETE', path: string): Promise<number> {
    const up = this.replicas.find(({ isUp }) => isUp) ?? this.replicas[0];
    const outcome = await this.partner.call(up, { method, path });
    if (outcome.kind !== 'ANSWERED') return 0;
    // A lost answer to the first try: it is done.
    return method === 'DELETE' && outcome.status === 404 ? 200 : outcome.status;
  }

  private async untilOpenOnlyAt(endpoints: readonly string[]): Promise<void> {
    const isSettled = await settle({
      look: async () => {
        const { open, progress } = await this.standing.ofDeliveries(endpoints);
        return { isSettled: open === 0 && this.over() === this.journeys.length, progress };
      },
      leap: () => this.leaps.leap(this.endpoints.isHealed ? LEAP_WHEN_HEALED_MS : LEAP_MS),
      withinMs: SETTLE_MS,
      stillMs: STILL_MS,
      everyMs: 100,
    });
    if (!isSettled) this.options.tell('it did not settle in time');
  }

  /** Whoever was to make retries due may have been killed; somebody else has done so then. */
  private async untilDrained(): Promise<void> {
    const deadline = performance.now() + DRAINED_WITHIN_MS;
    while (performance.now() < deadline && (await this.standing.isAnyUndrained())) await sleep(500);
  }
}

function namedUrl(databaseUrl: string, name: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set('application_name', name);
  return url.href;
}
