import {
  ERROR_CATALOGUE,
  type ErrorCode,
  type Failures,
  headersNamed,
  reference,
} from '../platform/index.js';
import { PROBLEM_EXAMPLES } from './answer-examples.js';
import { ANSWER_HEADERS, HEADERS } from './shared-components.js';

const MAY_ASK_TO_WAIT = [409, 503];

export const FAILURES: Failures<ErrorCode> = {
  catalogue: ERROR_CATALOGUE,
  shared: [
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
  ],
  headers: (status) => ({
    ...headersNamed(ANSWER_HEADERS),
    ...(status === 401 && headersNamed(['WWW-Authenticate'])),
    ...(MAY_ASK_TO_WAIT.includes(status) && headersNamed(['Retry-After'])),
    ...(status === 429 && { 'Retry-After': { ...HEADERS['Retry-After'], required: true } }),
  }),
  schema: (codes) => ({
    allOf: [
      reference('schemas', 'Failure'),
      { type: 'object', properties: { code: { type: 'string', enum: [...codes] } } },
    ],
  }),
  body: (code, error, operationId = '') => ({
    success: false,
    error,
    code,
    ...(code === 'validation_failed' && { details: PROBLEM_EXAMPLES[operationId] ?? [] }),
  }),
};
