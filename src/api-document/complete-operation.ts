import {
  type DescribedParameter,
  type ErrorCode,
  exampleId,
  type Examples,
  headersNamed,
  type IdPrefix,
  jsonContent,
  type Operation,
  operation,
  parameter,
  PARTNER_CALL_NOTE,
  type PartnerCallNote,
  reference,
  type Schemas,
  SCOPE_NOTE,
} from '../platform/index.js';
import { ANSWER_EXAMPLES } from './answer-examples.js';
import { TAGS } from './document-text.js';
import { FAILURES } from './partner-failures.js';
import { ANSWER_HEADERS } from './shared-components.js';

/** Nest's operation, with what our decorators added. */
export interface NotedOperation extends Operation {
  [PARTNER_CALL_NOTE]?: PartnerCallNote;
  [SCOPE_NOTE]?: string;
}

/** The ids in addresses: their prefix, and the code for one that does not exist. */
const IDS: Readonly<Record<string, readonly [IdPrefix, ErrorCode]>> = {
  journeyId: ['jrn', 'journey_not_found'],
  applicationId: ['app', 'application_not_found'],
  subscriptionId: ['sub', 'subscription_not_found'],
  deliveryId: ['dlv', 'delivery_not_found'],
};

const SESSION_FAILURES = {
  required: ['journey_session_missing', 'journey_session_invalid'],
  optional: ['journey_session_invalid'],
} as const;

/**
 * Adds authentication, the envelope, headers and failures.
 * @param path below the partner prefix: `/journey/{journeyId}`
 * @returns null for a call without a description
 */
export function completeOperation(
  path: string,
  noted: NotedOperation,
  schemas: Schemas,
): Operation | null {
  const { [PARTNER_CALL_NOTE]: call, [SCOPE_NOTE]: scope, requestBody, summary } = noted;
  const tag = TAGS[path.split('/')[1]];
  if (!call || !scope || !tag) return null;
  const { operationId, description, session, isIdempotent, failures = [] } = call;
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const queries = (noted.parameters ?? []).filter(isDescribedQuery);
  return operation(FAILURES, {
    tag: tag.name,
    operationId,
    summary,
    description: `${description}\n\nScope: \`${scope}\`.`,
    // OpenAPI 3.1 allows roles for every kind of scheme.
    security: [{ ApiKey: [scope] }, { BearerKey: [scope] }],
    parameters: [
      ...ids.map((name) => parameter('path', name, undefined, {}, exampleId(IDS[name][0]))),
      'Timestamp',
      'Nonce',
      'Signature',
      ...(session ? ['JourneySession', 'JourneySessionCookie'] : []),
      ...(isIdempotent ? ['IdempotencyKey'] : []),
      ...queries,
    ],
    requestBody,
    responses: { '200': success(call, schemas) },
    failures: [
      ...FAILURES.shared,
      ...(requestBody ? (['malformed_json', 'unsupported_media_type'] as const) : []),
      ...(requestBody || queries.length > 0 ? (['validation_failed'] as const) : []),
      ...ids.map((name) => IDS[name][1]),
      ...(session ? SESSION_FAILURES[session] : []),
      ...failures,
      ...(isIdempotent ? (['idempotency_key_reused', 'idempotency_in_flight'] as const) : []),
    ],
  });
}

function success({ operationId, answer, isIdempotent }: PartnerCallNote, schemas: Schemas) {
  const dataSchema = reference('schemas', answer);
  const shown = ANSWER_EXAMPLES[operationId] ?? { answer: ['The response', {}] };
  const examples = Object.entries(shown).map(([name, [summary, own]]) => [
    name,
    { summary, value: { success: true, data: schemas.example(dataSchema, own) } },
  ]);
  const schema = {
    type: 'object',
    required: ['success', 'data'],
    properties: { success: { type: 'boolean', enum: [true] }, data: dataSchema },
  };
  return {
    description: 'The call succeeded.',
    headers: headersNamed([...ANSWER_HEADERS, ...(isIdempotent ? ['Idempotency-Replayed'] : [])]),
    ...jsonContent(schema, Object.fromEntries(examples) as Examples),
  };
}

/** Nest also lists parameters that it merely inferred. */
function isDescribedQuery(
  given: NonNullable<Operation['parameters']>[number],
): given is DescribedParameter {
  return 'in' in given && given.in === 'query' && given.description !== undefined;
}
