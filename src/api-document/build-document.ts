import type { INestApplicationContext } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ALERT_VIEWS, WebhookEventView, WebhookTestEventView } from '../webhooks/index.js';
import { sharedFailures } from './answers.js';
import { completeOperation, type NotedOperation } from './complete-operation.js';
import { DESCRIPTION, TAGS } from './document-text.js';
import { type KnownWords, withKnownWords } from './known-words.js';
import { FAILURE_SCHEMA, HEADERS, PARAMETERS, SECURITY_SCHEMES } from './shared-components.js';
import { webhookSection } from './webhook-section.js';
import type { Brand } from '../settings/index.js';

type Application = Parameters<typeof SwaggerModule.createDocument>[0];
type Paths = OpenAPIObject['paths'];

/** The calls with their schemas: what the code says, the same for every deployment. */
export type DescribedCalls = Pick<OpenAPIObject, 'paths' | 'components'>;

const PREFIX = '/api/v1/partner';

/**
 * Reads the partner calls off the application's controllers. One that is not described is left out,
 * which the contract's test does not let pass.
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

/** The whole document, under the operator's own name and address. */
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

/** Of the two paths of every call, the one with the /api prefix. */
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

// The types of @nestjs/swagger do not know OpenAPI 3.1's `identifier`.
function license(displayName: string): { name: string; identifier: string } {
  return { name: `Terms of use of ${displayName}`, identifier: 'LicenseRef-Proprietary' };
}

/** By name, so that the file does not change with the order in which modules are loaded. */
function sorted<Value>(record: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
