import { DescribedField } from '../validation/field-rules.js';

// Where Nest's Swagger stores the described fields of a class.
const DESCRIBED = 'swagger/apiModelPropertiesArray';

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

/** The query parameters that the class does not describe, for the response. */
export function ignoredParameters(
  given: Record<string, unknown>,
  query: new () => object,
): { ignoredParameters?: string[] } {
  const described = (Reflect.getMetadata(DESCRIBED, query.prototype) ?? []) as string[];
  const ignored = Object.keys(given).filter((name) => !described.includes(`:${name}`));
  return ignored.length > 0 ? { ignoredParameters: ignored } : {};
}
