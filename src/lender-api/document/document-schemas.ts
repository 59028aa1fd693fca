import { z } from 'zod';
import * as callbacks from '../protocol/callbacks.js';
import * as offer from '../protocol/offer.js';
import * as requests from '../protocol/requests.js';
import * as transport from '../protocol/transport.js';
import * as verdicts from '../protocol/verdicts.js';

type JsonSchema = Record<string, unknown>;

const PREFIX = '#/components/schemas/';

// What a signature's header holds is told in words: it is no body.
const { RequestSignature: _request, AnswerSignature: _answer, ...bodies } = transport;

/** The schemas that have a name in the document: those that the declaration exports. */
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

/** The schemas of the messages, in JSON Schema 2020-12, by name. */
export function documentSchemas(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of NAMED) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    // What is on the wire, before unknown words are read as OTHER.
    io: 'input',
    uri: (id) => `${PREFIX}${id}`,
    override: ({ jsonSchema }) => tidy(jsonSchema),
  });
  // The document says which dialect it is in, and where each schema stands.
  for (const schema of Object.values(schemas)) {
    delete schema.$schema;
    delete schema.$id;
  }
  return schemas;
}

/** Where the document has the schema of a message. */
export function schemaOf(schema: z.ZodType): { $ref: string } {
  const found = NAMED.find(([, named]) => named === schema);
  if (!found) throw new Error('a message of the lender protocol has no name in the document');
  return { $ref: `${PREFIX}${found[0]}` };
}

/** `format` says what a moment and a day are; the pattern that it is checked by says it again. */
function tidy(schema: JsonSchema): void {
  if (schema['format'] === 'date-time' || schema['format'] === 'date') delete schema['pattern'];
}
