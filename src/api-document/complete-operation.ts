import type { OpenAPIObject } from '@nestjs/swagger';
import { PARTNER_CALL_NOTE, type PartnerCallNote, SCOPE_NOTE } from '../platform/index.js';
import { failures, success } from './answers.js';
import { ANSWER_EXAMPLES } from './answer-examples.js';
import { TAGS } from './document-text.js';
import { UUID } from './journey-examples.js';
import type { PARAMETERS } from './shared-components.js';

export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Parameter = NonNullable<Operation['parameters']>[number];

/** As Nest lists it, with the decorators' notes. */
export interface NotedOperation extends Operation {
  [PARTNER_CALL_NOTE]?: PartnerCallNote;
  [SCOPE_NOTE]?: string;
}

const ID_PREFIXES: Readonly<Record<string, string>> = {
  journeyId: 'jrn',
  applicationId: 'app',
  subscriptionId: 'sub',
  deliveryId: 'dlv',
};

/**
 * Adds authentication, the envelope, headers and failures.
 * @param path below the partner prefix: `/journey/{journeyId}`
 * @returns null for a call without a description
 */
export function completeOperation(path: string, operation: NotedOperation): Operation | null {
  const { [PARTNER_CALL_NOTE]: call, [SCOPE_NOTE]: scope, ...rest } = operation;
  const tag = TAGS[path.split('/')[1]];
  if (!call || !scope || !tag) return null;
  return {
    ...rest,
    tags: [tag.name],
    description: `${call.description}\n\nScope: \`${scope}\`.`,
    // OpenAPI 3.1 allows roles for every kind of scheme.
    security: [{ ApiKey: [scope] }, { BearerKey: [scope] }],
    parameters: [
      ...pathParameters(path),
      ...references(['Timestamp', 'Nonce', 'Signature']),
      ...(call.session ? references(['JourneySession', 'JourneySessionCookie']) : []),
      ...(call.isIdempotent ? references(['IdempotencyKey']) : []),
      ...(rest.parameters ?? []).filter(isDescribedQuery),
    ],
    responses: {
      '200': success(call.answer, call.isIdempotent ?? false, ANSWER_EXAMPLES[call.operationId]),
      ...failures(
        [
          ...(call.failures ?? []),
          ...(rest.requestBody ? (['unsupported_media_type'] as const) : []),
        ],
        call.operationId,
      ),
    },
  };
}

function pathParameters(path: string): Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    example: `${ID_PREFIXES[name] ?? name}_${UUID}`,
  }));
}

/** Nest also lists parameters that it merely inferred. */
function isDescribedQuery(parameter: Parameter): boolean {
  return 'in' in parameter && parameter.in === 'query' && parameter.description !== undefined;
}

function references(names: readonly (keyof typeof PARAMETERS)[]): Parameter[] {
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}
