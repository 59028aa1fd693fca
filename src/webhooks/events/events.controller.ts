import { Get, Injectable, Query } from '@nestjs/common';
import { CurrentPartner, type PartnerIdentity, Scoped } from '../../auth/index.js';
import { Database, Fault, ignoredParameters, PartnerApi } from '../../platform/index.js';
import { EventStreamRepository, type StreamPart } from '../store/event-stream.repository.js';
import { type EventCursor, EventCursors } from './event-cursor.js';
import {
  type EventsPage,
  type EventsPageQuery,
  EventsQuery,
  ListEventsCall,
  readEventsQuery,
} from './events.api.js';

/** Twice the longest page: a backlog is then written on every other page only. */
const PLACED_AT_ONCE = 200;

interface EventsRead {
  readonly bodies: readonly string[];
  readonly next: EventCursor;
  readonly hasMore: boolean;
}

@Injectable()
export class EventStream {
  constructor(
    private readonly database: Database,
    private readonly streams: EventStreamRepository,
  ) {}

  /**
   * @throws Fault cursor_expired if events after the cursor were deleted or changed by a restore
   */
  async read(partnerId: string, { after, names, limit }: EventsPageQuery): Promise<EventsRead> {
    const query = { partnerId, after: after?.position ?? null, names, limit };
    let part = await this.streams.read(query);
    assertCursorValid(after, part);
    if (!part.isScanLimitReached && part.hasUnplaced) {
      part = await this.database.transaction(async (tx) => {
        await this.streams.place(tx, partnerId, PLACED_AT_ONCE);
        return this.streams.read(query, tx);
      });
      assertCursorValid(after, part);
    }
    return pageOf(part, after, limit);
  }
}

function assertCursorValid(after: EventCursor | null, part: StreamPart): void {
  if (after === null) return;
  const { placedTo, removedTo, idAtAfter } = part;
  const isRemoved = after.position < removedTo;
  // After a restore from a backup, a position may hold another event, or none.
  const isUnknown =
    after.position > placedTo || (idAtAfter !== null && idAtAfter !== after.eventId);
  if (isRemoved || isUnknown) throw new Fault('cursor_expired');
}

function pageOf(part: StreamPart, after: EventCursor | null, limit: number): EventsRead {
  const events = part.events.slice(0, limit);
  const isFull = part.events.length > limit;
  const last = isFull ? events[limit - 1] : part.lastScanned;
  return {
    bodies: events.map(({ body }) => body),
    next: last
      ? { position: last.position, eventId: last.id }
      : (after ?? { position: part.removedTo, eventId: null }),
    hasMore: isFull || part.isScanLimitReached || part.hasUnplaced,
  };
}

@PartnerApi('events')
export class EventsController {
  constructor(
    private readonly stream: EventStream,
    private readonly cursors: EventCursors,
  ) {}

  @ListEventsCall
  @Get()
  @Scoped('events:read')
  async list(
    @CurrentPartner() { partnerId }: PartnerIdentity,
    @Query() parameters: Record<string, unknown>,
  ): Promise<EventsPage> {
    const query = readEventsQuery(parameters, this.cursors);
    const { bodies, next, hasMore } = await this.stream.read(partnerId, query);
    // JSON.stringify wrote each body, so it serialises again to the same bytes.
    const events = bodies.map((body) => JSON.parse(body) as object);
    const ignored = ignoredParameters(parameters, EventsQuery);
    return { events, next: this.cursors.write(next), hasMore, ...ignored };
  }
}
