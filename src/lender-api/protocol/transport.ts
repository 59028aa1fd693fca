import { z } from 'zod';
import { integer, pattern, reference, text } from './primitives.js';
import { waitingFor } from './words.js';

export const PROTOCOL = {
  version: '1',
  headers: {
    version: 'RLP-Version',
    idempotencyKey: 'Idempotency-Key',
    traceParent: 'traceparent',
    signature: 'x-jws-signature',
  },
  maxBodyBytes: 256 * 1024,
  callSeconds: 10,
  eligibilitySeconds: 2,
  maxAskAgainSeconds: 21_600,
  /** Largest difference of `iat` to the verifier's clock. */
  signatureSeconds: 300,
  algorithms: ['EdDSA', 'ES256'],
  keysPath: '/.well-known/rlp-jwks.json',
  /** Followed by the lender's code and the callback's path. */
  callbacksPath: '/lender-api/v1',
  /** Never a loan: it tests the connection. */
  pingLoanReference: 'rinpath-ping',
} as const;

export const Pending = z
  .object({
    askAgainAfterSeconds: integer(
      1,
      PROTOCOL.maxAskAgainSeconds,
      'Seconds until the question may be asked again.',
    ),
    waitingFor: waitingFor.optional(),
  })
  .describe('Not known yet.');

export const Receipt = z
  .object({
    id: reference('The id of the received message.', 'nv-evt-902'),
    status: z.literal('RECEIVED'),
  })
  .describe('The message is received and stored.');

/** Only the status determines what an error means. */
export const ERRORS = {
  invalid_request: { status: 400, message: 'The body does not match the document.' },
  version_not_supported: {
    status: 400,
    message: 'The version in RLP-Version is not supported.',
  },
  signature_refused: { status: 401, message: 'The signature is missing or invalid.' },
  request_replayed: { status: 401, message: 'The jti of the signature was already used.' },
  not_found: { status: 404, message: 'There is no such path.' },
  key_reused: { status: 409, message: 'The Idempotency-Key was used with another body.' },
  body_too_large: { status: 413, message: 'The body is larger than 256 KB.' },
  unsupported_media_type: { status: 415, message: 'The body is not application/json.' },
  too_many_requests: { status: 429, message: 'Too many requests; retry after Retry-After.' },
  internal_error: { status: 500, message: 'Internal error; retry later.' },
  unavailable: { status: 503, message: 'Unavailable; retry after Retry-After.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ProtocolErrorCode = keyof typeof ERRORS;

export const ErrorBody = z
  .object({
    error: z.object({
      code: pattern(/^[a-z][a-z0-9_]{0,63}$/, 'Stable and machine-readable.'),
      message: text('For people. No personal data.', 500),
    }),
  })
  .describe('No verdict: the same question is asked again.');

const signed = {
  alg: z.enum(PROTOCOL.algorithms),
  kid: reference('The key’s id in the JWKS.'),
  b64: z.literal(false),
  crit: z.tuple([z.literal('b64')]),
  iat: z.int().positive().describe('Unix time in seconds, of the signature.'),
  jti: pattern(/^[A-Za-z0-9._:-]{8,64}$/, 'New for each request and each answer.'),
  htu: z.string().max(2048).describe('The whole URL as called, without a query.'),
};

export const RequestSignature = z
  .object({ ...signed, htm: z.enum(['GET', 'POST']) })
  .describe('The protected header of a request’s signature.');

export const AnswerSignature = z
  .object({
    ...signed,
    status: integer(200, 599, 'The status of the answer.'),
    req: pattern(/^[A-Za-z0-9._:-]{8,64}$/, 'The `jti` of the answered request.'),
  })
  .describe('The protected header of an answer’s signature.');
