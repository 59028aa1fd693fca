import type { INestApplicationContext } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import {
  AT_LEAST_ONE_NOTE,
  type JsonSchema,
  openApiDocument,
  Schemas,
  sharedFailures,
} from '../platform/index.js';
import type { Brand } from '../settings/index.js';
import {
  ALERT_VIEWS,
  LeadEventView,
  WebhookEventView,
  WebhookTestEventView,
} from '../webhooks/index.js';
import { completeOperation, type NotedOperation } from './complete-operation.js';
import { DESCRIPTION, TAGS } from './document-text.js';
import { FAILURES } from './partner-failures.js';
import { FAILURE_SCHEMA, HEADERS, PARAMETERS, SECURITY_SCHEMES } from './shared-components.js';
import { webhookSection } from './webhook-section.js';

type Application = Parameters<typeof SwaggerModule.createDocument>[0];
type Paths = OpenAPIObject['paths'];

/** By schema and field: values that the field's own module does not know. */
export type KnownWords = Readonly<Record<string, Readonly<Record<string, object>>>>;

/** The same for every deployment. */
export type DescribedCalls = Pick<OpenAPIObject, 'paths' | 'components'>;

const PREFIX = '/api/v1/partner';

/** Reads the partner calls from the controllers. A test fails for a call without a description. */
export function describeCalls(app: INestApplicationContext, words: KnownWords): DescribedCalls {
  const config = new DocumentBuilder().setOpenAPIVersion('3.1.0').build();
  const { paths, components } = SwaggerModule.createDocument(app as Application, config, {
    extraModels: [
      WebhookEventView,
      LeadEventView,
      WebhookTestEventView,
      ...Object.values(ALERT_VIEWS),
    ],
  });
  const schemas = Object.fromEntries(
    sorted(components?.schemas as Record<string, JsonSchema>).map(([name, schema]) => [
      name,
      withWords(schema, words[name]),
    ]),
  );
  return {
    paths: partnerPaths(paths, new Schemas(schemas)),
    components: {
      schemas: { ...schemas, Failure: FAILURE_SCHEMA },
      responses: sharedFailures(FAILURES),
      parameters: { ...PARAMETERS },
      headers: { ...HEADERS },
      securitySchemes: { ...SECURITY_SCHEMES },
    },
  };
}

export function partnerDocument(
  { paths, components }: DescribedCalls,
  owner: Brand,
  baseUrl: string,
): OpenAPIObject {
  const used = new Set(Object.keys(paths).map((path) => path.split('/')[4]));
  return openApiDocument({
    owner,
    title: 'partner API',
    description: DESCRIPTION,
    servers: [{ url: baseUrl }],
    tags: Object.entries(TAGS)
      .filter(([segment]) => used.has(segment))
      .map(([, tag]) => tag),
    paths,
    webhooks: webhookSection(
      owner.slug,
      new Schemas((components?.schemas ?? {}) as Record<string, JsonSchema>),
    ),
    components,
  });
}

/** Every call has two paths: keep the one with the /api prefix. */
function partnerPaths(paths: Paths, schemas: Schemas): Paths {
  const described: Paths = {};
  for (const [path, item] of sorted(paths)) {
    if (!path.startsWith(PREFIX)) continue;
    for (const [method, noted] of Object.entries(item as Record<string, NotedOperation>)) {
      const operation = completeOperation(path.slice(PREFIX.length), noted, schemas);
      if (operation) described[path] = { ...described[path], [method]: operation };
    }
  }
  return described;
}

/** By name, so that the file does not depend on the order in which modules are loaded. */
function sorted<Value>(record: Record<string, Value>): [string, Value][] {
  return Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function withWords(schema: JsonSchema, words: KnownWords[string] = {}): JsonSchema {
  const { [AT_LEAST_ONE_NOTE]: oneOf, ...rest } = schema as JsonSchema & Record<string, unknown>;
  const fields = Object.entries(rest.properties ?? {});
  return {
    ...rest,
    properties: Object.fromEntries(
      fields.map(([name, field]) => [name, { ...field, ...words[name] }]),
    ),
    ...(Array.isArray(oneOf) && { anyOf: oneOf.map((field: string) => ({ required: [field] })) }),
  };
}
