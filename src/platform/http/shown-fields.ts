import type { ApiPropertyOptions } from '@nestjs/swagger';
import type { IdPrefix } from '../ids/id-generator.js';
import { DescribedField } from '../validation/field-rules.js';

/** A field that is not in every answer says so; one that may be null says that. */
interface Presence {
  optional?: boolean;
  nullable?: boolean;
}

const EXAMPLE_UUID = '01a1fcf153ae76b2be3e2ab68ffc4d07';

function shown(
  schema: ApiPropertyOptions,
  about: string,
  example: unknown,
  { optional, nullable }: Presence,
): PropertyDecorator {
  return DescribedField(
    { ...schema, ...(nullable && { nullable }) },
    { optional, about, ...(example !== undefined && { example }) },
  );
}

/** Text of an answer, as the API document shows it. */
export const ShownText = (about: string, example: string, presence: Presence = {}) =>
  shown({ type: 'string' }, about, example, presence);

export const ShownChoice = (about: string, values: readonly string[], presence: Presence = {}) =>
  shown({ type: 'string', enum: [...values] }, about, values[0], presence);

/** One of our identifiers. */
export const ShownId = (prefix: IdPrefix, about: string, presence: Presence = {}) =>
  shown(
    { type: 'string', pattern: `^${prefix}_[0-9a-f]{32}$` },
    about,
    `${prefix}_${EXAMPLE_UUID}`,
    presence,
  );

export const ShownUrl = (about: string, example: string, presence: Presence = {}) =>
  shown({ type: 'string', format: 'uri' }, about, example, presence);

/** A time in UTC, ISO 8601. */
export const ShownTime = (about: string, presence: Presence = {}) =>
  shown({ type: 'string', format: 'date-time' }, about, '2026-01-31T10:00:00.000Z', presence);

/** An amount in rupees, with at most two decimals. */
export const ShownRupees = (about: string, example: number, presence: Presence = {}) =>
  shown({ type: 'number', minimum: 0 }, about, example, presence);

export const ShownNumber = (about: string, example: number, presence: Presence = {}) =>
  shown({ type: 'number' }, about, example, presence);

export const ShownCount = (about: string, example: number, presence: Presence = {}) =>
  shown({ type: 'integer', minimum: 0 }, about, example, presence);

export const ShownFlag = (about: string, presence: Presence = {}) =>
  shown({ type: 'boolean' }, about, undefined, presence);

/** An object of a class of its own. */
export const ShownObject = (
  shape: () => new () => object,
  about: string,
  { optional, nullable }: Presence = {},
) =>
  // Nest tells a late reference to a class by the function's name, which must be `type`.
  DescribedField({ type: () => shape(), ...(nullable && { nullable }) }, { optional, about });

/** A list of objects of a class. */
export const ShownList = (shape: () => new () => object, about: string, presence: Presence = {}) =>
  shown({ type: () => [shape()] }, about, undefined, presence);
