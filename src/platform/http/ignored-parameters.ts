import { DescribedField } from '../validation/field-rules.js';

// Where Nest's Swagger keeps which fields of a class are described.
const DESCRIBED = 'swagger/apiModelPropertiesArray';

/** In the answer of a call with query parameters: those that the call does not know. */
export function IgnoredParameters(): PropertyDecorator {
  return DescribedField(
    { type: 'array', items: { type: 'string' } },
    {
      optional: true,
      about:
        'The query parameters that this call does not know, and ignored; absent when it knows all.',
      example: ['journeyID'],
    },
  );
}

/**
 * The parameters of a request that its query's class does not describe, for the answer; nothing when there
 * are none.
 */
export function ignoredParameters(
  given: Record<string, unknown>,
  query: new () => object,
): { ignoredParameters?: string[] } {
  const described = (Reflect.getMetadata(DESCRIBED, query.prototype) ?? []) as string[];
  const ignored = Object.keys(given).filter((name) => !described.includes(`:${name}`));
  return ignored.length > 0 ? { ignoredParameters: ignored } : {};
}
