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
import { type CallExample, examplesOf } from './call-examples.js';
import { DOCS_PATH, REFERENCE_PATH, targetOf } from './guides.js';
import { renderText } from './markdown.js';
import { aboutOf, type FieldGroup, type FieldLine, SchemaFields } from './schema-fields.js';

const EVENTS_SLUG = 'webhook-events';

interface ShownExample {
  readonly title: string;
  readonly code: string;
}

type ShownField = Omit<FieldLine, 'about'> & { readonly aboutHtml: string };

interface ShownGroup {
  readonly title?: string;
  readonly fields: readonly ShownField[];
}

interface ReferenceCall {
  readonly slug: string;
  readonly href: string;
  readonly method: string;
  readonly path: string;
  readonly title: string;
  readonly tag: string;
  readonly aboutHtml: string;
  readonly text: string;
  readonly parameters: readonly ShownField[];
  readonly body: readonly ShownGroup[];
  readonly bodyExamples: readonly ShownExample[];
  readonly answer: readonly ShownGroup[];
  readonly answerExamples: readonly ShownExample[];
  readonly examples: readonly CallExample[];
  readonly failures: readonly { code: ErrorCode; status: number; message: string; href: string }[];
}

export interface Reference {
  readonly calls: readonly ReferenceCall[];
  readonly tags: readonly { name: string; about: string; calls: readonly ReferenceCall[] }[];
  readonly events: {
    readonly href: string;
    readonly names: readonly { name: string; meaning: string }[];
    readonly fields: readonly ShownField[];
    readonly headers: readonly ShownField[];
  };
}

type Components = NonNullable<OpenAPIObject['components']>;
type Given = NonNullable<Operation['parameters']>[number];
const TEST_EVENT = /\.test$/;

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
  return { calls, tags, events: reader.events(document) };
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
    const bodies = shownExamples(body?.examples);
    return {
      slug: operationId,
      href: `${REFERENCE_PATH}/${operationId}`,
      method,
      path,
      title: summary,
      tag: tags[0] ?? '',
      aboutHtml: renderText(description, targetOf),
      text: `${method} ${path} ${operationId} ${description.replaceAll('`', '')}`,
      parameters: this.parameters(operation.parameters ?? []),
      body: body ? shown(this.fields.groupsOf(body.schema)) : [],
      bodyExamples: bodies.slice(1),
      answer: answer ? shown(this.fields.groupsOf(dataOf(answer.schema))) : [],
      answerExamples: shownExamples(answer?.examples),
      examples: examplesOf({
        operationId,
        method,
        path,
        body: body && Object.values(body.examples ?? {})[0]?.value,
        needsSession: has('JourneySession'),
        isIdempotent: has('IdempotencyKey'),
      }),
      failures: this.failures(operation),
    };
  }

  events({ webhooks = {} }: OpenAPIObject): Reference['events'] {
    const posts = Object.entries(webhooks).map(([name, item]): [string, Operation] => [
      name,
      (item as { post: Operation }).post,
    ]);
    const [, event] = posts.find(([name]) => !TEST_EVENT.test(name))!;
    const schema = jsonOf(event.requestBody)!.schema;
    return {
      href: `${REFERENCE_PATH}/${EVENTS_SLUG}`,
      names: posts.map(([name, { summary = '' }]) => ({ name, meaning: summary })),
      fields: shown(this.fields.groupsOf(schema))[0].fields,
      headers: this.parameters(event.parameters ?? []),
    };
  }

  private parameters(given: readonly Given[]): ShownField[] {
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
      return { name, type, isRequired: required, aboutHtml: renderText(about, targetOf) };
    });
  }

  private failures({ responses }: Operation): ReferenceCall['failures'] {
    return Object.values(responses).flatMap((response) => {
      const whole = this.resolved('responses', response as { $ref?: string });
      return Object.keys(jsonOf(whole)?.examples ?? {})
        .filter((name): name is ErrorCode => name in ERROR_CATALOGUE)
        .map((code) => ({
          code,
          ...ERROR_CATALOGUE[code],
          href: `${DOCS_PATH}/errors#${code}`,
        }));
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

function dataOf({ properties }: JsonSchema): JsonSchema {
  return properties?.data ?? {};
}

function shownExamples(examples: Examples = {}): ShownExample[] {
  return Object.entries(examples).map(([name, { summary, value }]) => ({
    title: summary ?? name,
    code: JSON.stringify(value, null, 2),
  }));
}

function shown(groups: readonly FieldGroup[]): ShownGroup[] {
  return groups.map(({ title, fields }) => ({
    ...(title !== undefined && { title }),
    fields: fields.map(({ about, ...field }) => ({
      ...field,
      aboutHtml: renderText(about, targetOf),
    })),
  }));
}
