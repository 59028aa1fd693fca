import { Clock, type Database, IdGenerator, type Tx } from '../../../src/platform/index.js';
import type { EventCursor } from '../../../src/webhooks/events/event-cursor.js';
import {
  EventPublisher,
  type PublishedEvent,
} from '../../../src/webhooks/events/event-publisher.js';
import { EventStream } from '../../../src/webhooks/events/events.controller.js';
import type { EventName } from '../../../src/webhooks/domain/webhook-events.js';
import { EventStreamRepository } from '../../../src/webhooks/store/event-stream.repository.js';
import { EventsRepository } from '../../../src/webhooks/store/events.repository.js';
import { type DeliveryBench } from './delivery-bench.js';
import { PARTNER } from './some-event.js';

export interface ReadEvent {
  readonly id: string;
  readonly journeyId: string;
  readonly sequence: number;
}

export class StreamReplica {
  readonly streams: EventStreamRepository;
  private readonly stream: EventStream;
  private readonly publisher: EventPublisher;

  /** @param skewMs how far its clock is ahead */
  constructor(
    readonly bench: DeliveryBench,
    skewMs = 0,
  ) {
    this.streams = new EventStreamRepository(bench.database);
    this.stream = new EventStream(bench.database, this.streams);
    const ids = new IdGenerator(new SkewedClock(skewMs));
    this.publisher = new EventPublisher(ids, bench.wakeUp, new EventsRepository());
  }

  async publish(tx: Tx, event: PublishedEvent): Promise<void> {
    await this.publisher.publishAll(tx, [event]);
  }

  commit(event: PublishedEvent): Promise<void> {
    return this.bench.database.transaction((tx) => this.publish(tx, event));
  }

  open(): Promise<OpenTransaction> {
    return openTransaction(this.bench.database);
  }

  async read(
    after: EventCursor | null,
    given: { limit?: number; names?: EventName[]; partnerId?: string } = {},
  ): Promise<{ events: ReadEvent[]; next: EventCursor; hasMore: boolean }> {
    const { partnerId = PARTNER, names = null, limit = 100 } = given;
    const { bodies, ...page } = await this.stream.read(partnerId, { after, names, limit });
    return { ...page, events: bodies.map((body) => JSON.parse(body) as ReadEvent) };
  }

  async readAll(after: EventCursor | null, limit = 100): Promise<ReadEvent[]> {
    const events: ReadEvent[] = [];
    for (let page = await this.read(after, { limit }); ;) {
      events.push(...page.events);
      if (!page.hasMore) return events;
      page = await this.read(page.next, { limit });
    }
  }
}

export type OpenTransaction = Awaited<ReturnType<typeof openTransaction>>;

async function openTransaction(database: Database) {
  const begun = Promise.withResolvers<Tx>();
  const end = Promise.withResolvers<void>();
  const ended = database.transaction(async (tx) => {
    begun.resolve(tx);
    await end.promise;
  });
  const isOver = ended.catch(() => undefined);
  const commit = async () => {
    end.resolve();
    await ended;
  };
  const rollBack = async () => {
    end.reject(new Error('the business change failed'));
    await isOver;
  };
  return { tx: await begun.promise, commit, rollBack };
}

/** Never returns the same millisecond twice, because ids of one millisecond have no order. */
class SkewedClock extends Clock {
  private lastMs = 0;

  constructor(private readonly skewMs: number) {
    super();
  }

  now(): Date {
    this.lastMs = Math.max(this.lastMs + 1, Date.now() + this.skewMs);
    return new Date(this.lastMs);
  }
}
