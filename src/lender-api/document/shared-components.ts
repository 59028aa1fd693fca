import { ERRORS, ErrorBody, PROTOCOL, type ProtocolErrorCode } from '../protocol/transport.js';
import { REFERENCE } from '../protocol/primitives.js';
import { schemaOf } from './document-schemas.js';

export const TAGS = {
  LENDER: {
    name: 'Rinpath asks the lender',
    description: 'Served by the lender, at its base address.',
  },
  RINPATH: {
    name: 'The lender tells Rinpath',
    description: 'Served by this service. A lender can only speak of what it was asked.',
  },
} as const;

const SIGNATURE_EXAMPLE =
  'eyJhbGciOiJFZERTQSIsImtpZCI6InJpbnBhdGgtMSIsImI2NCI6ZmFsc2UsImNyaXQiOlsiYjY0Il19..c2lnbmF0dXJl';

const SIGNATURE_SCHEMA = {
  type: 'string',
  maxLength: 4096,
  pattern: '^[A-Za-z0-9_-]+\\.\\.[A-Za-z0-9_-]+$',
};

const header = (name: string, description: string, schema: object, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', ...schema },
  example,
});

/** What every request carries, and what stands in the addresses. */
export const PARAMETERS = {
  Version: header(PROTOCOL.headers.version, 'The version of the protocol.', { enum: ['1'] }, '1'),
  QuestionKey: header(
    PROTOCOL.headers.idempotencyKey,
    'The question’s id, the body’s `questionId`. The same key with the same body has the same verdict ' +
      'for ever; with another body it is `409 key_reused`.',
    { pattern: REFERENCE.source },
    'qst_019aab3c5d7e7f0192a3b4c5d6e7f803',
  ),
  MessageKey: header(
    PROTOCOL.headers.idempotencyKey,
    'The message’s id: the body’s `id`, of an answer its `answerId`. What came before changes nothing.',
    { pattern: REFERENCE.source },
    'nv-evt-902',
  ),
  TraceParent: {
    ...header(
      PROTOCOL.headers.traceParent,
      'W3C Trace Context; to follow a loan through both sides’ logs.',
      { pattern: '^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$' },
      '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    ),
    required: false,
  },
  Signature: header(
    PROTOCOL.headers.signature,
    'The detached JWS over the exact bytes of the body.',
    SIGNATURE_SCHEMA,
    SIGNATURE_EXAMPLE,
  ),
  LoanReference: {
    name: 'loanReference',
    in: 'path',
    required: true,
    description: 'The lender’s reference of the loan.',
    schema: { type: 'string', pattern: REFERENCE.source },
    example: 'NV-LOAN-77031',
  },
  LenderCode: {
    name: 'lenderCode',
    in: 'path',
    required: true,
    description: 'The lender’s code in the configuration.',
    schema: { type: 'string', pattern: '^[a-z0-9][a-z0-9-]{0,63}$' },
    example: 'navdhara',
  },
};

/** What answers carry. */
export const ANSWER_HEADERS = {
  Signature: {
    description:
      'The detached JWS over the exact bytes of this answer’s body, bound to the request.',
    required: true,
    schema: SIGNATURE_SCHEMA,
    example: SIGNATURE_EXAMPLE,
  },
  RetryAfter: {
    description: 'Seconds until the next try.',
    schema: { type: 'string', pattern: '^\\d{1,5}$' },
    example: '30',
  },
};

export const SECURITY_SCHEMES = {
  DetachedJws: {
    type: 'apiKey',
    in: 'header',
    name: PROTOCOL.headers.signature,
    description: 'The signature is what proves the sender; see Signatures.',
  },
};

type Entry = [code: string, entry: readonly [status: number, message: string]];

const failuresBy = Object.groupBy(Object.entries(ERRORS) as Entry[], ([, [status]]) => status);

/** The failures that say when to come back. */
const RETRIED = new Set(['429', '503']);

/** The failures that any call can have, by status. */
export const FAILURES = Object.fromEntries(
  Object.entries(failuresBy).map(([status, entries = []]) => [
    `Failure${status}`,
    {
      description: entries.map(([code, [, message]]) => `\`${code}\`: ${message}`).join(' '),
      ...(RETRIED.has(status) && {
        headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } },
      }),
      content: {
        'application/json': {
          schema: schemaOf(ErrorBody),
          examples: Object.fromEntries(
            entries.map(([code, [, message]]) => [code, { value: { error: { code, message } } }]),
          ),
        },
      },
    },
  ]),
);

/** The responses of an operation for the failures that it can have. */
export function failureResponses(...without: ProtocolErrorCode[]): Record<string, object> {
  const statuses = new Set(
    (Object.entries(ERRORS) as [ProtocolErrorCode, readonly [number, string]][])
      .filter(([code]) => !without.includes(code))
      .map(([, [status]]) => status),
  );
  return Object.fromEntries(
    [...statuses].map((status) => [status, { $ref: `#/components/responses/Failure${status}` }]),
  );
}
