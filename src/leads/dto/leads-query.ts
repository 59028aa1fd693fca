import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import { DescribedField, Rule } from '../../platform/index.js';
import { parseTimeEdge } from './time-edge.js';

const DEFAULT_LIMIT = 20;
const MAX_PER_PAGE = 100;
const MAX_PAGES = 1_000_000_000;
const WHOLE_NUMBER = /^[+-]?\d+$/;

/** The last value counts; empty is absent, null invalid. */
function Parameter(
  parse: (text: string) => unknown,
  message: string,
  schema: ApiPropertyOptions,
  about: string,
): PropertyDecorator {
  return applyDecorators(
    DescribedField(schema, { optional: true, about }),
    Transform(({ value }: { value: unknown }) => {
      const last: unknown = Array.isArray(value) ? value.at(-1) : value;
      if (typeof last !== 'string') return null;
      return last.trim() === '' ? undefined : parse(last.trim());
    }),
    Rule('parameter', (value) => value !== null, message),
  );
}

function parseWholeNumber(text: string): number | null {
  return WHOLE_NUMBER.test(text) ? Number(text) : null;
}

/** PostgreSQL's text cannot hold a NUL. */
function parseText(text: string): string {
  return text.replaceAll('\0', '\u{fffd}');
}

const WHOLE_NUMBER_MESSAGE = 'must be a whole number';
const TEXT_MESSAGE = 'must be text';
const ISO_FORM = 'an ISO 8601 date-time, or a date for the whole day in India.';
const DATE_MESSAGE = 'must be an ISO 8601 date or date-time';

export class LeadsQuery {
  @Parameter(
    parseWholeNumber,
    WHOLE_NUMBER_MESSAGE,
    { type: 'integer', default: 1 },
    'The page, from 1.',
  )
  page?: number;

  @Parameter(
    parseWholeNumber,
    WHOLE_NUMBER_MESSAGE,
    { type: 'integer', default: DEFAULT_LIMIT },
    `Leads on a page, at most ${MAX_PER_PAGE}.`,
  )
  limit?: number;

  @Parameter(parseText, TEXT_MESSAGE, { type: 'string' }, 'Leads of this status.')
  status?: string;

  @Parameter(parseText, TEXT_MESSAGE, { type: 'string' }, 'Leads of this product code.')
  loanType?: string;

  @Parameter(parseText, TEXT_MESSAGE, { type: 'string' }, 'The lead of this journey.')
  journeyId?: string;

  @Parameter(parseText, TEXT_MESSAGE, { type: 'string' }, 'The lead of this application.')
  applicationId?: string;

  @Parameter(
    (text) => parseTimeEdge(text, 'start'),
    DATE_MESSAGE,
    { type: 'string' },
    `Leads submitted then or later: ${ISO_FORM}`,
  )
  from?: Date;

  @Parameter(
    (text) => parseTimeEdge(text, 'end'),
    DATE_MESSAGE,
    { type: 'string' },
    `Leads submitted then or earlier: ${ISO_FORM}`,
  )
  to?: Date;
}

/** Figures out of range are clamped, not refused. */
export function pageOf(query: LeadsQuery): { page: number; limit: number } {
  return {
    page: clamp(query.page ?? 1, MAX_PAGES),
    limit: clamp(query.limit ?? DEFAULT_LIMIT, MAX_PER_PAGE),
  };
}

function clamp(value: number, most: number): number {
  return Math.min(Math.max(value, 1), most);
}
