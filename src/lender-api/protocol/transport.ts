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
      'When the same question may be put again.',
    ),
    waitingFor: waitingFor().optional(),
  })
  .meta({ description: 'Not known yet.' });

export const Receipt = z
  .object({
    id: reference('Of what was received.', 'nv-evt-902'),
    status: z.literal('RECEIVED'),
  })
  .meta({ description: 'It is kept, and will not be lost.' });

/** Only the status determines what an error means. */
export const ERRORS = {
  invalid_request: { status: 400, message: 'The body is not as the document says.' },
  version_not_supported: {
    status: 400,
    message: 'RLP-Version names a version that is not spoken here.',
  },
  signature_refused: { status: 401, message: 'There is no signature, or it does not hold.' },
  request_replayed: { status: 401, message: 'The jti of the signature was used before.' },
  not_found: { status: 404, message: 'There is no such address.' },
  key_reused: { status: 409, message: 'The Idempotency-Key came before with another body.' },
  body_too_large: { status: 413, message: 'The body is larger than 256 KB.' },
  unsupported_media_type: { status: 415, message: 'The body is not application/json.' },
  too_many_requests: { status: 429, message: 'Too fast; ask again after Retry-After.' },
  internal_error: { status: 500, message: 'Something failed here.' },
  unavailable: { status: 503, message: 'Not now; ask again after Retry-After.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ProtocolErrorCode = keyof typeof ERRORS;

export const ErrorBody = z
  .object({
    error: z.object({
      code: pattern(/^[a-z][a-z0-9_]{0,63}$/, 'Stable and machine-readable.'),
      message: text('For people. No personal data.', 500),
    }),
  })
  .meta({ description: 'No verdict: the same question is put again.' });

const signed = {
  alg: z.enum(PROTOCOL.algorithms),
  kid: reference('The key, by its name in the JWKS.'),
  b64: z.literal(false),
  crit: z.tuple([z.literal('b64')]),
  iat: z.int().positive().meta({ description: 'Unix time in seconds, of the signature.' }),
  jti: pattern(/^[A-Za-z0-9._:-]{8,64}$/, 'Another one for each request and each answer.'),
  htu: z
    .string()
    .max(2048)
    .meta({ description: 'The whole address that was called, as it was called; without a query.' }),
};

export const RequestSignature = z
  .object({ ...signed, htm: z.enum(['GET', 'POST']) })
  .meta({ description: 'The protected header of a request’s signature.' });

export const AnswerSignature = z
  .object({
    ...signed,
    status: integer(200, 599, 'The status of the answer.'),
    req: pattern(/^[A-Za-z0-9._:-]{8,64}$/, 'The `jti` of the request that this answers.'),
  })
  .meta({ description: 'The protected header of an answer’s signature.' });
