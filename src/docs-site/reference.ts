import type { OpenAPIObject } from '@nestjs/swagger';
import {
  type DescribedParameter,
  ERROR_CATALOGUE,
  type ErrorCode,
  type Examples,
  type JsonSchema,
  type Operation,
  Schemas,
} from '../platform/index.js';
import { examplesOf } from './call-examples.js';
import { type CallFacts, callPage, type EventFacts, eventsPage } from './reference-pages.js';
import { aboutOf, type FieldLine, SchemaFields } from './schema-fields.js';

interface ReferenceCall extends CallFacts {
  /** The operation's id. */
  readonly slug: string;
  readonly tag: string;
  readonly markdown: string;
}

export interface Reference {
  readonly calls: readonly ReferenceCall[];
  readonly tags: readonly { name: string; about: string; calls: readonly ReferenceCall[] }[];
  readonly events: readonly EventFacts[];
  readonly eventsMarkdown: string;
}

type Components = NonNullable<OpenAPIObject['components']>;
type Given = NonNullable<Operation['parameters']>[number];

export function referenceOf(document: OpenAPIObject): Reference {
  const reader = new Reader(document.components ?? {});
  const calls = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(([method, operation]) =>
      reader.call(method.toUpperCase(), path, operation),
    ),
  );
  const tags = (document.tags ?? []).map(({ name, description = '' }) => ({
    name,
    about: description,
    calls: calls.filter(({ tag }) => tag === name),
  }));
  return { calls, tags, ...reader.events(document) };
}

class Reader {
  private readonly fields: SchemaFields;

  constructor(private readonly components: Components) {
    this.fields = new SchemaFields(
      new Schemas((components.schemas ?? {}) as Record<string, JsonSchema>),
    );
  }

  call(method: string, path: string, operation: Operation): ReferenceCall {
    const { operationId = '', summary = '', description = '', tags = [] } = operation;
    const references = (operation.parameters ?? []).map((one) => ('$ref' in one ? one.$ref : ''));
    const has = (name: string) => references.some((reference) => reference.endsWith(`/${name}`));
    const body = jsonOf(operation.requestBody);
    const answer = jsonOf(operation.responses['200']);
    const facts = {
      title: summary,
      method,
      path,
      about: description,
      examples: examplesOf({
        operationId,
        method,
        path,
        body: body && Object.values(body.examples ?? {})[0]?.value,
        needsSession: has('JourneySession'),
        isIdempotent: has('IdempotencyKey'),
      }),
      parameters: this.parameters(operation.parameters ?? []),
      body: body ? this.fields.groupsOf(body.schema) : [],
      bodyExamples: shownExamples(body?.examples).slice(1),
      answer: answer ? this.fields.groupsOf(answer.schema.properties?.data ?? {}) : [],
      answerExamples: shownExamples(answer?.examples),
      failures: this.failures(operation),
    };
    return { ...facts, slug: operationId, tag: tags[0] ?? '', markdown: callPage(facts) };
  }

  events({ webhooks = {} }: OpenAPIObject): Pick<Reference, 'events' | 'eventsMarkdown'> {
    const posts = Object.entries(webhooks).map(([name, item]): [string, Operation] => [
      name,
      (item as { post: Operation }).post,
    ]);
    const events = posts.map(([name, { summary = '', requestBody }]) => {
      const [{ value: body }] = Object.values(jsonOf(requestBody)?.examples ?? {});
      return { name, meaning: summary, body };
    });
    // The first event is a journey's; the last ones are of leads and alerts.
    const [[, { requestBody, parameters = [] }]] = posts;
    const [{ fields }] = this.fields.groupsOf(jsonOf(requestBody)!.schema);
    return { events, eventsMarkdown: eventsPage(events, fields, this.parameters(parameters)) };
  }

  private parameters(given: readonly Given[]): FieldLine[] {
    return given.map((one) => {
      const {
        name,
        in: place,
        required = false,
        description = '',
        schema = {},
      } = this.resolved('parameters', one as { $ref?: string }) as DescribedParameter & {
        schema?: JsonSchema;
      };
      const about = aboutOf({ ...schema, description: description || schema.description || '' });
      const type = place === 'path' ? 'in the path' : place;
      return { name, type, isRequired: required, about };
    });
  }

  private failures({ responses }: Operation): ErrorCode[] {
    return Object.values(responses).flatMap((response) => {
      const whole = this.resolved('responses', response as { $ref?: string });
      return Object.keys(jsonOf(whole)?.examples ?? {}).filter(
        (name): name is ErrorCode => name in ERROR_CATALOGUE,
      );
    });
  }

  private resolved(section: 'parameters' | 'responses', part: { $ref?: string }): object {
    const name = part.$ref?.split('/').at(-1);
    return name === undefined ? part : this.components[section]![name];
  }
}

function jsonOf(part: unknown): { schema: JsonSchema; examples?: Examples } | undefined {
  const { content } = (part ?? {}) as { content?: Record<string, unknown> };
  return content?.['application/json'] as { schema: JsonSchema; examples?: Examples } | undefined;
}

function shownExamples(examples: Examples = {}) {
  return Object.entries(examples).map(([name, { summary, value }]) => ({
    title: summary ?? name,
    value,
  }));
}
