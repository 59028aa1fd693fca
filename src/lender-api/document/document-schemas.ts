import { z } from 'zod';
import * as callbacks from '../protocol/callbacks.js';
import * as offer from '../protocol/offer.js';
import * as requests from '../protocol/requests.js';
import * as transport from '../protocol/transport.js';
import * as verdicts from '../protocol/verdicts.js';

type JsonSchema = Record<string, unknown>;

const PREFIX = '#/components/schemas/';

// Headers are described in words.
const { RequestSignature: _request, AnswerSignature: _answer, ...bodies } = transport;

/** Every exported schema has its name in the document. */
const exported: Record<string, unknown> = {
  ...bodies,
  ...offer,
  ...requests,
  ...verdicts,
  ...callbacks,
};
const NAMED = Object.entries(exported)
  .filter((entry): entry is [string, z.ZodType] => entry[1] instanceof z.ZodType)
  .toSorted(([a], [b]) => (a < b ? -1 : 1));

/** JSON Schema 2020-12, by name. */
export function documentSchemas(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of NAMED) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    // Before unknown words are read as OTHER.
    io: 'input',
    uri: (id) => `${PREFIX}${id}`,
    override: ({ jsonSchema }) => tidy(jsonSchema),
  });
  for (const schema of Object.values(schemas)) {
    delete schema.$schema;
    delete schema.$id;
  }
  return schemas;
}

export function schemaOf(schema: z.ZodType): { $ref: string } {
  const found = NAMED.find(([, named]) => named === schema);
  if (!found) throw new Error('a message of the lender protocol has no name in the document');
  return { $ref: `${PREFIX}${found[0]}` };
}

/** `format` already says what the pattern checks. */
function tidy(schema: JsonSchema): void {
  if (schema['format'] === 'date-time' || schema['format'] === 'date') delete schema['pattern'];
}
