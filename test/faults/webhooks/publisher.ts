import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { SeededRandom } from '../seeded-random.ts';

type Platform = typeof import('../../../src/platform/index.js');
type Webhooks = typeof import('../../../src/webhooks/index.js');
type Events = typeof import('../../../src/webhooks/store/events.repository.js');
type WakeUp = typeof import('../../../src/webhooks/sender/sender-wake-up.js');
type PublishedEvent = Parameters<InstanceType<Webhooks['EventPublisher']>['publish']>[1];

const DIST = new URL('../../../dist/src/', import.meta.url);
const EVENTS_A_JOURNEY = 7;
const ROLLED_BACK = 0.05;
/** The share of transactions that stay open for a while after their event: others commit before them. */
const LATE = 0.15;
const MAX_LATE_MS = 400;
const PARTNER = 'demo';

/** Publishes the events of progressing journeys through the service's code, each in its own transaction. */
export class Publisher {
  rolledBack = 0;
  private isStopped = false;
  private readonly database: InstanceType<Platform['Database']>;
  private readonly publisher: InstanceType<Webhooks['EventPublisher']>;
  private readonly replicas: InstanceType<WakeUp['ReplicaWakeUp']>;
  private readonly random: SeededRandom;

  private constructor(
    database: InstanceType<Platform['Database']>,
    publisher: InstanceType<Webhooks['EventPublisher']>,
    replicas: InstanceType<WakeUp['ReplicaWakeUp']>,
    random: SeededRandom,
  ) {
    this.database = database;
    this.publisher = publisher;
    this.replicas = replicas;
    this.random = random;
  }

  static async connect(databaseUrl: string, random: SeededRandom): Promise<Publisher> {
    // The run stops the database on purpose.
    Logger.overrideLogger(false);
    const platform = (await import(new URL('platform/index.js', DIST).href)) as Platform;
    const webhooks = (await import(new URL('webhooks/index.js', DIST).href)) as Webhooks;
    const sender = (await import(
      new URL('webhooks/sender/sender-wake-up.js', DIST).href
    )) as WakeUp;
    const store = (await import(
      new URL('webhooks/store/events.repository.js', DIST).href
    )) as Events;
    const options = platform.dataSourceOptions({
      url: databaseUrl,
      poolSize: 4,
      entities: [],
      migrations: [],
    });
    const database = new platform.Database(await new DataSource(options).initialize());
    const wakeUp = new sender.SenderWakeUp();
    const replicas = new sender.ReplicaWakeUp(database, wakeUp, new platform.RandomSource());
    replicas.onModuleInit();
    const ids = new platform.IdGenerator(new platform.OffsetClock());
    return new Publisher(
      database,
      new webhooks.EventPublisher(ids, wakeUp, new store.EventsRepository()),
      replicas,
      random,
    );
  }

  async publish(events: number, forMs: number): Promise<void> {
    const journeys = Math.ceil(events / EVENTS_A_JOURNEY);
    const startedAt = performance.now();
    const lane = async (first: number) => {
      for (let journey = first; journey < journeys && !this.isStopped; journey += 4) {
        await sleep(Math.max(0, startedAt + (forMs * journey) / journeys - performance.now()));
        await this.journey(journey);
      }
    };
    await Promise.all([0, 1, 2, 3].map(lane));
  }

  async close(): Promise<void> {
    this.isStopped = true;
    await this.replicas.onModuleDestroy();
    await this.database.dataSource.destroy();
  }

  private async journey(journey: number): Promise<void> {
    for (let sequence = 1; sequence <= EVENTS_A_JOURNEY; sequence += 1) {
      if (this.random.isTrue(ROLLED_BACK)) await this.rollBack(eventOf(journey, sequence));
      await this.publishSurely(eventOf(journey, sequence));
    }
  }

  private async rollBack(event: PublishedEvent): Promise<void> {
    this.rolledBack += 1;
    const undone = { ...event, journeyId: event.journeyId.replace('jrn_', 'jrn_undone') };
    await this.database
      .transaction(async (tx) => {
        await this.publisher.publish(tx, undone);
        throw new Error('the business change failed');
      })
      .catch(() => undefined);
  }

  /** A commit with a lost response may have succeeded: then the event must exist once. */
  private async publishSurely(event: PublishedEvent): Promise<void> {
    while (!this.isStopped) {
      try {
        await this.database.transaction(async (tx) => {
          await this.publisher.publish(tx, event);
          if (this.random.isTrue(LATE)) await sleep(this.random.between(0, MAX_LATE_MS));
        });
        return;
      } catch (error) {
        if (String(error).includes('webhook_events_by_journey')) return;
        await sleep(100);
      }
    }
  }
}

function eventOf(journey: number, sequence: number): PublishedEvent {
  const hex = journey.toString(16).padStart(24, '0');
  return {
    partnerId: PARTNER,
    journeyId: `jrn_${hex}`,
    applicationId: `app_${hex}`,
    name: 'journey.offers_received',
    sequence,
    createdAt: new Date(),
    data: {
      productCode: 'ONLINE_PERSONAL',
      channel: 'API_HEADLESS',
      state: 'OFFERS_RECEIVED',
      nextAction: { type: 'SELECT_OFFER', category: 'ACTION' },
      outcome: 'IN_PROGRESS',
    },
  };
}
