import type { ApiPropertyOptions } from '@nestjs/swagger';
import type { IdPrefix } from '../ids/id-generator.js';
import { DescribedField } from '../validation/field-rules.js';

interface Presence {
  optional?: boolean;
  nullable?: boolean;
}

export const exampleId = (prefix: IdPrefix) => `${prefix}_01a1fcf153ae76b2be3e2ab68ffc4d07`;

function shown(
  schema: ApiPropertyOptions,
  about: string,
  example?: unknown,
  { optional, nullable }: Presence = {},
): PropertyDecorator {
  return DescribedField({ ...schema, nullable }, { optional, about, example });
}

export const ShownText = (about: string, example: string, presence?: Presence) =>
  shown({ type: 'string' }, about, example, presence);

export const ShownChoice = (about: string, values: readonly string[], presence?: Presence) =>
  shown({ type: 'string', enum: [...values] }, about, values[0], presence);

export const ShownId = (prefix: IdPrefix, about: string, presence?: Presence) =>
  shown(
    { type: 'string', pattern: `^${prefix}_[0-9a-f]{32}$` },
    about,
    exampleId(prefix),
    presence,
  );

export const ShownUrl = (about: string, example: string, presence?: Presence) =>
  shown({ type: 'string', format: 'uri' }, about, example, presence);

/** ISO 8601 in UTC. */
export const ShownTime = (about: string, presence?: Presence) =>
  shown({ type: 'string', format: 'date-time' }, about, '2026-01-31T10:00:00.000Z', presence);

/** At most two decimals. */
export const ShownRupees = (about: string, example: number, presence?: Presence) =>
  shown({ type: 'number', minimum: 0 }, about, example, presence);

export const ShownNumber = (about: string, example: number) =>
  shown({ type: 'number' }, about, example);

export const ShownCount = (about: string, example: number, presence?: Presence) =>
  shown({ type: 'integer', minimum: 0 }, about, example, presence);

export const ShownFlag = (about: string) => shown({ type: 'boolean' }, about);

export const ShownObject = (shape: () => new () => object, about: string, presence?: Presence) =>
  // Nest recognises a lazy class reference by the function's name, `type`.
  shown({ type: () => shape() }, about, undefined, presence);

export const ShownList = (shape: () => new () => object, about: string, presence?: Presence) =>
  shown({ type: () => [shape()] }, about, undefined, presence);

// Nest's Swagger metadata key.
const DESCRIBED = 'swagger/apiModelPropertiesArray';

export const IgnoredParameters = DescribedField(
  { type: 'array', items: { type: 'string' } },
  {
    optional: true,
    about: 'Unknown query parameters, which were ignored; absent if there were none.',
    example: ['journeyID'],
  },
);

export function ignoredParameters(
  given: Record<string, unknown>,
  query: new () => object,
): { ignoredParameters?: string[] } {
  const described = (Reflect.getMetadata(DESCRIBED, query.prototype) ?? []) as string[];
  const ignored = Object.keys(given).filter((name) => !described.includes(`:${name}`));
  return ignored.length > 0 ? { ignoredParameters: ignored } : {};
}
