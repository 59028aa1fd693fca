import type { INestApplicationContext } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { AT_LEAST_ONE_NOTE } from '../platform/index.js';
import { ALERT_VIEWS, WebhookEventView, WebhookTestEventView } from '../webhooks/index.js';
import { sharedFailures } from './answers.js';
import { completeOperation, type NotedOperation } from './complete-operation.js';
import { DESCRIPTION, TAGS } from './document-text.js';
import { FAILURE_SCHEMA, HEADERS, PARAMETERS, SECURITY_SCHEMES } from './shared-components.js';
import { webhookSection } from './webhook-section.js';
import type { Brand } from '../settings/index.js';

type Application = Parameters<typeof SwaggerModule.createDocument>[0];
type Paths = OpenAPIObject['paths'];
type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Schema = Record<string, unknown> & { properties?: Record<string, object> };

/** By schema and field: what a field's own module does not know of it. */
export type KnownWords = Readonly<Record<string, Readonly<Record<string, object>>>>;

/** The same for every deployment. */
export type DescribedCalls = Pick<OpenAPIObject, 'paths' | 'components'>;

const PREFIX = '/api/v1/partner';

/**
 * Reads the partner calls off the controllers. The contract's test fails for a call without a
 * description.
 */
export function describeCalls(app: INestApplicationContext, words: KnownWords): DescribedCalls {
  const config = new DocumentBuilder().setOpenAPIVersion('3.1.0').build();
  const { paths, components } = SwaggerModule.createDocument(app as Application, config, {
    extraModels: [WebhookEventView, WebhookTestEventView, ...Object.values(ALERT_VIEWS)],
  });
  return {
    paths: partnerPaths(paths),
    components: {
      schemas: {
        ...sorted(withKnownWords(components?.schemas ?? {}, words)),
        Failure: FAILURE_SCHEMA,
      },
      responses: sharedFailures(),
      parameters: { ...PARAMETERS },
      headers: { ...HEADERS },
      securitySchemes: { ...SECURITY_SCHEMES },
    },
  };
}

export function apiDocument(calls: DescribedCalls, baseUrl: string, brand: Brand): OpenAPIObject {
  const { displayName, slug, support } = brand;
  const used = new Set(Object.keys(calls.paths).map((path) => path.split('/')[4]));
  return {
    openapi: '3.1.0',
    info: {
      title: `${displayName} partner API`,
      version: '1.0.0',
      description: DESCRIPTION,
      contact: { name: `${displayName} support`, email: support.email },
      license: license(displayName),
    },
    servers: [{ url: baseUrl }],
    tags: Object.entries(TAGS)
      .filter(([segment]) => used.has(segment))
      .map(([, tag]) => tag),
    paths: calls.paths,
    webhooks: webhookSection(slug),
    components: calls.components,
  };
}

/** Every call has two paths: keep the one with the /api prefix. */
function partnerPaths(paths: Paths): Paths {
  const completed = Object.entries(paths)
    .filter(([path]) => path.startsWith(`${PREFIX}/`))
    .map(([path, item]): [string, object] => [path, completedItem(path, item)]);
  return sorted(Object.fromEntries(completed.filter(([, item]) => Object.keys(item).length > 0)));
}

function completedItem(path: string, item: Paths[string]): Paths[string] {
  const operations = Object.entries(item).map(([method, operation]) => [
    method,
    completeOperation(path.slice(PREFIX.length), operation as NotedOperation),
  ]);
  return Object.fromEntries(operations.filter(([, operation]) => operation !== null)) as object;
}

// The types of @nestjs/swagger lack OpenAPI 3.1's `identifier`.
function license(displayName: string): { name: string; identifier: string } {
  return { name: `Terms of use of ${displayName}`, identifier: 'LicenseRef-Proprietary' };
}

/** By name, so that the file does not depend on the order in which modules are loaded. */
function sorted<Value>(record: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function withKnownWords(schemas: Schemas, words: KnownWords): Schemas {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      withWords(schema as Schema, words[name] ?? {}),
    ]),
  );
}

function withWords(schema: Schema, known: KnownWords[string]): Schema {
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
