import type { OpenAPIObject } from '@nestjs/swagger';
import { AT_LEAST_ONE_NOTE } from '../platform/index.js';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Schema = Record<string, unknown> & { properties?: Record<string, object> };

/** By schema and field, what the document says of a field beside what its own module knows. */
export type KnownWords = Readonly<Record<string, Readonly<Record<string, object>>>>;

/** The schemas with the words that their fields can hold, and with what they need besides. */
export function withKnownWords(schemas: Schemas, words: KnownWords): Schemas {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      completed(schema as Schema, words[name] ?? {}),
    ]),
  );
}

function completed(schema: Schema, known: KnownWords[string]): Schema {
  const { [AT_LEAST_ONE_NOTE]: oneOf, ...rest } = schema;
  const words = Object.entries(known).map(([field, told]) => [
    field,
    { ...rest.properties?.[field], ...told },
  ]);
  return {
    ...rest,
    ...(words.length > 0 && {
      properties: { ...rest.properties, ...(Object.fromEntries(words) as object) },
    }),
    ...(Array.isArray(oneOf) && { anyOf: oneOf.map((field: string) => ({ required: [field] })) }),
  };
}
