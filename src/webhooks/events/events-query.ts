import { ApiProperty } from '@nestjs/swagger';
import { type FieldProblem, validationFault } from '../../platform/index.js';
import type { EventCursor, EventCursors } from './event-cursor.js';
import { EVENT_NAMES, type EventName, isEventName } from '../domain/webhook-events.js';

const DEFAULT_LIMIT = 20;
const MAX_A_PAGE = 100;

/** The parameters of the stream of events, as the API document shows them. */
export class EventsQuery {
  @ApiProperty({
    required: false,
    type: 'string',
    description:
      '`next` of the last answer; without it, or empty: from the oldest event that is kept.',
  })
  after?: string;

  @ApiProperty({
    required: false,
    type: 'string',
    description:
      'Events of these names alone, with commas between them. A page looks through 1,000 events at ' +
      'most, so it can be short, or empty, although more follow.',
    example: 'journey.completed,journey.rejected',
  })
  events?: string;

  @ApiProperty({
    required: false,
    type: 'integer',
    minimum: 1,
    maximum: MAX_A_PAGE,
    default: DEFAULT_LIMIT,
    description: 'Events on a page.',
  })
  limit?: number;
}

/** Which events of a partner's stream; null filters nothing. */
export interface EventsPageQuery {
  readonly after: EventCursor | null;
  readonly names: readonly EventName[] | null;
  readonly limit: number;
}

/** @throws Fault validation_failed naming every bad parameter */
export function readEventsQuery(
  parameters: Record<string, unknown>,
  cursors: EventCursors,
): EventsPageQuery {
  const { after, events, limit } = { ...parameters };
  const problems: FieldProblem[] = [];
  const isStart = after === undefined || after === '';
  const cursor = typeof after === 'string' ? cursors.read(after) : null;
  if (!isStart && !cursor) {
    problems.push({ field: 'after', message: 'must be `next` of an answer of this call' });
  }
  const names = events === undefined || events === '' ? null : namesOf(events);
  if (names && !names.every((name) => isEventName(name))) {
    problems.push({ field: 'events', message: `must be names of ${EVENT_NAMES.join(', ')}` });
  }
  const size = limit === undefined ? DEFAULT_LIMIT : wholeNumber(limit);
  if (size < 1 || size > MAX_A_PAGE) {
    problems.push({ field: 'limit', message: `must be a whole number from 1 to ${MAX_A_PAGE}` });
  }
  if (problems.length > 0) throw validationFault(problems);
  return { after: cursor, names: names as EventName[] | null, limit: size };
}

/** A parameter that is given several times has no names that exist. */
function namesOf(value: unknown): string[] {
  return typeof value === 'string' ? value.split(',').map((name) => name.trim()) : [''];
}

/** 0 for what is none. */
function wholeNumber(value: unknown): number {
  return typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : 0;
}
