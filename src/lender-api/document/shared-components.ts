import { type Failures, header, headersNamed, optional, parameter } from '../../platform/index.js';
import { ERRORS, ErrorBody, PROTOCOL, type ProtocolErrorCode } from '../protocol/transport.js';
import { REFERENCE } from '../protocol/primitives.js';
import { schemaOf } from './document-messages.js';

export const TAGS = {
  LENDER: {
    name: 'Rinpath asks the lender',
    description: 'Served by the lender at its base URL.',
  },
  RINPATH: {
    name: 'The lender notifies Rinpath',
    description:
      'Served by this service. A lender can only report on applications it was asked about.',
  },
} as const;

const SIGNATURE_EXAMPLE =
  'eyJhbGciOiJFZERTQSIsImtpZCI6InJpbnBhdGgtMSIsImI2NCI6ZmFsc2UsImNyaXQiOlsiYjY0Il19..c2lnbmF0dXJl';

const SIGNATURE_SCHEMA = {
  maxLength: 4096,
  pattern: '^[A-Za-z0-9_-]+\\.\\.[A-Za-z0-9_-]+$',
};

const key = (description: string, example: string) =>
  parameter('header', PROTOCOL.headers.idempotencyKey, description, AS_REFERENCE, example);

const AS_REFERENCE = { pattern: REFERENCE.source };

export const PARAMETERS = {
  Version: parameter(
    'header',
    PROTOCOL.headers.version,
    'The version of the protocol.',
    { enum: [PROTOCOL.version] },
    PROTOCOL.version,
  ),
  QuestionKey: key(
    'The question’s id, equal to the body’s `questionId`. The same key with the same body always gets the same ' +
      'verdict; with another body it gets `409 key_reused`.',
    'qst_019aab3c5d7e7f0192a3b4c5d6e7f803',
  ),
  MessageKey: key(
    'The message’s id: the body’s `id`, or the `answerId` of an answer. A repeat changes nothing.',
    'nv-evt-902',
  ),
  TraceParent: optional(
    parameter(
      'header',
      PROTOCOL.headers.traceParent,
      'W3C Trace Context, to correlate both sides’ logs.',
      { pattern: '^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$' },
      '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    ),
  ),
  Signature: parameter(
    'header',
    PROTOCOL.headers.signature,
    'The detached JWS over the exact bytes of the body.',
    SIGNATURE_SCHEMA,
    SIGNATURE_EXAMPLE,
  ),
  LoanReference: parameter(
    'path',
    'loanReference',
    'The lender’s reference of the loan.',
    AS_REFERENCE,
    'NV-LOAN-77031',
  ),
  LenderCode: parameter(
    'path',
    'lenderCode',
    'The lender’s code in the configuration.',
    { pattern: '^[a-z0-9][a-z0-9-]{0,63}$' },
    'navdhara',
  ),
};

export const ANSWER_HEADERS = {
  [PROTOCOL.headers.signature]: header(
    'The detached JWS over the exact bytes of this answer’s body, bound to the request.',
    SIGNATURE_SCHEMA,
    SIGNATURE_EXAMPLE,
  ),
  'Retry-After': optional(
    header('Seconds to wait before a retry.', { pattern: '^\\d{1,5}$' }, '30'),
  ),
};

export const SECURITY_SCHEMES = {
  DetachedJws: {
    type: 'apiKey' as const,
    in: 'header',
    name: PROTOCOL.headers.signature,
    description: 'The signature authenticates the sender; see Signatures.',
  },
};

const RETRIED = [429, 503];

export const FAILURES: Failures<ProtocolErrorCode> = {
  catalogue: ERRORS,
  shared: Object.keys(ERRORS) as ProtocolErrorCode[],
  headers: (status) => (RETRIED.includes(status) ? headersNamed(['Retry-After']) : undefined),
  schema: () => schemaOf(ErrorBody),
  body: (code, message) => ({ error: { code, message } }),
};
