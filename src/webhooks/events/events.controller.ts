import { Get, Query } from '@nestjs/common';
import { CurrentPartner, type PartnerIdentity, Scoped } from '../../auth/index.js';
import { ignoredParameters, PartnerApi } from '../../platform/index.js';
import { EventCursors } from './event-cursor.js';
import { EventStream } from './event-stream.service.js';
import { type EventsPage, EventsQuery, ListEventsCall, readEventsQuery } from './events.api.js';

/** The events for a partner that asks for them. */
@PartnerApi('events')
export class EventsController {
  constructor(
    private readonly stream: EventStream,
    private readonly cursors: EventCursors,
  ) {}

  @ListEventsCall()
  @Get()
  @Scoped('events:read')
  async list(
    @CurrentPartner() { partnerId }: PartnerIdentity,
    @Query() parameters: Record<string, unknown>,
  ): Promise<EventsPage> {
    const query = readEventsQuery(parameters, this.cursors);
    const { bodies, next, hasMore } = await this.stream.read(partnerId, query);
    // Each was written by JSON.stringify, which writes what it reads back byte for byte.
    const events = bodies.map((body) => JSON.parse(body) as object);
    const ignored = ignoredParameters(parameters, EventsQuery);
    return { events, next: this.cursors.write(next), hasMore, ...ignored };
  }
}
