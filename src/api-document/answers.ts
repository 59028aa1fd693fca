import type { OpenAPIObject } from '@nestjs/swagger';
import { ERROR_CATALOGUE, type ErrorCode } from '../platform/index.js';
import { PROBLEM_EXAMPLES } from './answer-examples.js';
import type { AnswerExamples } from './journey-examples.js';
import { HEADERS } from './shared-components.js';

type Components = NonNullable<OpenAPIObject['components']>;
type Answer = NonNullable<Components['responses']>[string];
type HeaderName = keyof typeof HEADERS;

const FAILURES_OF_EVERY_CALL: readonly ErrorCode[] = [
  'malformed_request',
  'malformed_credentials',
  'invalid_signature',
  'nonce_reused',
  'key_suspended',
  'key_revoked',
  'partner_suspended',
  'scope_missing',
  'request_timeout',
  'body_too_large',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'service_unavailable',
];

const HEADERS_OF_EVERY_ANSWER: readonly HeaderName[] = [
  'X-Request-Id',
  'Cache-Control',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'RateLimit-Policy',
  'X-Sandbox-Time',
];

const STATUS_MEANINGS: Readonly<Record<number, string>> = {
  400: 'The request is not right.',
  401: 'Authentication failed.',
  403: 'Not allowed; never retry.',
  404: 'Not found.',
  408: 'The request did not arrive in time.',
  409: 'In conflict with the state; read the journey again.',
  410: 'No longer kept.',
  413: 'The body is too large.',
  415: 'The body cannot be read as JSON, and a header explains why.',
  429: 'Too many requests; wait for Retry-After. A limit a minute covers 61 seconds, see Limits.',
  431: 'The headers are too large.',
  500: 'A failure on our side; retry with exponential back-off.',
  503: 'Not available at present; retry with exponential back-off.',
};

const MAY_ASK_TO_WAIT = [409, 503];

export function success(
  schemaName: string,
  isIdempotent: boolean,
  examples: AnswerExamples,
): Answer {
  const headers = isIdempotent
    ? [...HEADERS_OF_EVERY_ANSWER, 'Idempotency-Replayed' as const]
    : HEADERS_OF_EVERY_ANSWER;
  return {
    description: 'The call went well.',
    headers: references(headers),
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['success', 'data'],
          properties: {
            success: { type: 'boolean', enum: [true] },
            data: { $ref: `#/components/schemas/${schemaName}` },
          },
        },
        examples: Object.fromEntries(
          Object.entries(examples).map(([name, { summary, data }]) => [
            name,
            { summary, value: { success: true, data } },
          ]),
        ),
      },
    },
  };
}

export function sharedFailures(): Record<string, Answer> {
  return Object.fromEntries(
    byStatus(FAILURES_OF_EVERY_CALL).map(([status, codes]) => [
      sharedName(status),
      failure(status, codes),
    ]),
  );
}

export function failures(own: readonly ErrorCode[], operationId: string): Record<string, Answer> {
  const ownStatuses = new Set<number>(own.map((code) => ERROR_CATALOGUE[code].status));
  const all = [...new Set([...FAILURES_OF_EVERY_CALL, ...own])];
  return Object.fromEntries(
    byStatus(all).map(([status, codes]) => [
      String(status),
      ownStatuses.has(status)
        ? failure(status, codes, operationId)
        : { $ref: `#/components/responses/${sharedName(status)}` },
    ]),
  );
}

function byStatus(codes: readonly ErrorCode[]): [number, ErrorCode[]][] {
  const groups = Map.groupBy(codes, (code): number => ERROR_CATALOGUE[code].status);
  return [...groups].toSorted(([a], [b]) => a - b);
}

function sharedName(status: number): string {
  return `Failure${status}`;
}

function failure(status: number, codes: readonly ErrorCode[], operationId?: string): Answer {
  return {
    description: STATUS_MEANINGS[status] ?? 'The call failed.',
    headers: {
      ...references(HEADERS_OF_EVERY_ANSWER),
      ...(MAY_ASK_TO_WAIT.includes(status) && references(['Retry-After'])),
      ...(status === 429 && { 'Retry-After': { ...HEADERS['Retry-After'], required: true } }),
    },
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Failure' },
            { type: 'object', properties: { code: { type: 'string', enum: [...codes] } } },
          ],
        },
        examples: Object.fromEntries(
          codes.map((code) => [code, { value: exampleOf(code, operationId) }]),
        ),
      },
    },
  };
}

function exampleOf(code: ErrorCode, operationId = ''): object {
  const { message } = ERROR_CATALOGUE[code];
  const details = PROBLEM_EXAMPLES[operationId] ?? [];
  return {
    success: false,
    error: message,
    code,
    ...(code === 'validation_failed' && { details }),
  };
}

function references(names: readonly HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
