import { z } from 'zod';
import { type JsonSchema, jsonContent, reference, Schemas } from '../../platform/index.js';
import { KeySet } from '../protocol-keys.js';
import * as callbacks from '../protocol/callbacks.js';
import * as offer from '../protocol/offer.js';
import * as requests from '../protocol/requests.js';
import * as transport from '../protocol/transport.js';
import * as verdicts from '../protocol/verdicts.js';
import { MESSAGE_EXAMPLES } from './message-examples.js';
import { PERSONAL_OFFER } from './offer-examples.js';

const { RequestSignature: _request, AnswerSignature: _answer, ...bodies } = transport;

const exported: Record<string, unknown> = {
  ...bodies,
  ...offer,
  ...requests,
  ...verdicts,
  ...callbacks,
  KeySet,
};
const NAMED = Object.entries(exported)
  .filter((entry): entry is [string, z.ZodType] => entry[1] instanceof z.ZodType)
  .toSorted(([a], [b]) => (a < b ? -1 : 1));

export class DocumentMessages {
  readonly named: Record<string, JsonSchema>;
  private readonly schemas: Schemas;

  constructor() {
    const registry = z.registry<{ id: string }>();
    for (const [id, schema] of NAMED) registry.add(schema, { id });
    const { schemas } = z.toJSONSchema(registry, {
      // `output` would describe unknown words as OTHER.
      io: 'input',
      uri: (id) => reference('schemas', id).$ref,
      override: ({ jsonSchema }) => tidy(jsonSchema),
    });
    for (const schema of Object.values(schemas)) {
      delete schema.$schema;
      delete schema.$id;
    }
    // Its figures depend on each other.
    schemas['Offer'].examples = [PERSONAL_OFFER];
    this.named = schemas as Record<string, JsonSchema>;
    this.schemas = new Schemas(this.named);
  }

  content(message: z.ZodType) {
    const name = nameOf(message);
    const schema = reference('schemas', name);
    const forms = this.schemas.formsOf(schema);
    const listed = Object.entries(MESSAGE_EXAMPLES[name] ?? {});
    const isListed = forms.length === 1 && listed.length > 0;
    const examples = [
      ...(isListed ? [] : forms.map((form) => [tagOf(form), this.schemas.example(form)] as const)),
      ...listed.map(([title, own]) => [title, this.schemas.example(schema, own)] as const),
    ];
    return jsonContent(
      schema,
      Object.fromEntries(examples.map(([title, value]) => [title, { value }])),
    );
  }
}

export function schemaOf(message: z.ZodType): { $ref: string } {
  return reference('schemas', nameOf(message));
}

function nameOf(message: z.ZodType): string {
  const found = NAMED.find(([, named]) => named === message);
  if (!found) throw new Error('a message of the lender protocol has no name in the document');
  return found[0];
}

/** Distinguishes this form, such as `PAID`. */
function tagOf({ properties = {} }: JsonSchema): string {
  const tags = Object.values(properties).map((field) => field.const);
  return tags.find((tag) => typeof tag === 'string') ?? 'example';
}

function tidy(schema: Record<string, unknown>): void {
  if (schema['format'] === 'date-time' || schema['format'] === 'date') delete schema['pattern'];
}
