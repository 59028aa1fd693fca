import type { OpenAPIObject } from '@nestjs/swagger';
import { ERROR_CATALOGUE, header, optional, parameter } from '../platform/index.js';

type Components = NonNullable<OpenAPIObject['components']>;

const signed = (name: string, description: string, pattern: string, example: string) =>
  parameter('header', name, description, { pattern }, example);

export const PARAMETERS = {
  Timestamp: signed('x-timestamp', 'Unix time in seconds.', '^\\d{1,12}$', '1767225600'),
  Nonce: signed(
    'x-nonce',
    'A UUID v4, new for every request.',
    '^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-4[0-9A-Fa-f]{3}-[89ABab][0-9A-Fa-f]{3}-[0-9A-Fa-f]{12}$',
    '3f2b8c1e-7a64-4d0b-9c55-1a2b3c4d5e6f',
  ),
  Signature: signed(
    'x-signature',
    'The request’s HMAC-SHA256 in hexadecimal; see Signing.',
    '^[0-9A-Fa-f]{64}$',
    'b1946ac92492d2347c6235b4d2611184e0a5b3c1f2d4968778695a4b3c2d1e0f',
  ),
  IdempotencyKey: optional(
    parameter(
      'header',
      'Idempotency-Key',
      'Makes a retry safe. For 24 hours the same key with the same body gets the first response ' +
        'again; with another body it gets 409. Bodies are compared as parsed JSON. 1 to 255 printable ' +
        'characters, quoted or bare.',
      { pattern: '^("[ -~]{1,255}"|[ -~]{1,255})$' },
    ),
  ),
  JourneySession: optional(
    parameter(
      'header',
      'X-Journey-Session',
      'The journeySession that initiate returned. A headless journey requires it here or in the ' +
        'cookie.',
    ),
  ),
  JourneySessionCookie: optional(
    parameter('cookie', 'journey_session', 'The journeySession as a cookie.'),
  ),
};

const COUNT = { pattern: '^\\d+$' };

export const HEADERS = {
  'X-Request-Id': header('The request’s id: the caller’s own, if it sent a valid one.', {
    pattern: '^[A-Za-z0-9._:-]{1,128}$',
  }),
  'Cache-Control': header('Do not store the response.', { enum: ['no-store'] }),
  'RateLimit-Limit': header('The limit of the window closest to exhaustion.', COUNT),
  'RateLimit-Remaining': header('Requests left in that window.', COUNT),
  'RateLimit-Reset': header('Seconds until that window allows requests again.', COUNT),
  'RateLimit-Policy': header(
    'Every window, as limit;w=seconds.',
    { pattern: '^\\d+;w=\\d+(, \\d+;w=\\d+)*$' },
    '120;w=60, 20000;w=86400',
  ),
  'X-Sandbox-Time': optional(
    header('The sandbox’s time, after it was moved. Never sent in production.', {
      format: 'date-time',
    }),
  ),
  'Retry-After': optional(header('Seconds to wait before a retry.', COUNT)),
  'WWW-Authenticate': header('How a call names its key; `x-api-key` does, too.', {
    enum: ['Bearer'],
  }),
  'Idempotency-Replayed': optional(
    header('Sent with the stored response of an earlier request with the same key.', {
      enum: ['true'],
    }),
  ),
};

export const ANSWER_HEADERS: readonly (keyof typeof HEADERS)[] = [
  'X-Request-Id',
  'Cache-Control',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'RateLimit-Policy',
  'X-Sandbox-Time',
];

const FIELD_PROBLEM = {
  type: 'object',
  required: ['field', 'message'],
  properties: {
    field: { type: 'string', description: 'Dotted path from the body’s root: `customer.pan`.' },
    message: { type: 'string', description: 'The rule that the value must follow.' },
  },
};

export const FAILURE_SCHEMA = {
  type: 'object',
  required: ['success', 'error', 'code'],
  properties: {
    success: { type: 'boolean', enum: [false] },
    error: { type: 'string', description: 'For people; the wording may change.' },
    code: {
      type: 'string',
      description: 'Stable and machine-readable.',
      enum: Object.keys(ERROR_CATALOGUE),
    },
    details: {
      type: 'array',
      description: 'Every invalid field, when `code` is `validation_failed`.',
      items: FIELD_PROBLEM,
    },
    journey: {
      type: 'object',
      description: 'Where the journey is, when `code` is `wrong_step`.',
      required: ['state', 'nextAction'],
      properties: {
        state: { type: 'string' },
        nextAction: { type: 'string', description: 'The type of its next action.' },
      },
    },
    requestId: { type: 'string', description: 'As in `X-Request-Id`; name it to support.' },
    docs: { type: 'string', format: 'uri', description: 'What this code means and what to do.' },
    hint: {
      type: 'string',
      description:
        'Only in the sandbox, for a refused key or signature: the likely error, what the server signed, and the clock’s difference.',
    },
  },
};

export const SECURITY_SCHEMES = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description:
      'The API key. It identifies the partner; the signature headers authenticate the call.',
  },
  BearerKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'The same API key as `Authorization: Bearer`.',
  },
} as const satisfies NonNullable<Components['securitySchemes']>;
