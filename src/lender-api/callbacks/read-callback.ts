import { isDeeper, type RawRequest } from '../../platform/index.js';
import { type CallbackName, type CallbackOf, CALLBACKS } from '../protocol/callbacks.js';
import { ERRORS, PROTOCOL, type ProtocolErrorCode } from '../protocol/transport.js';

/** The text reveals nothing about other lenders. */
export class CallbackRefused extends Error {
  readonly status: number;

  constructor(
    readonly code: ProtocolErrorCode,
    message: string = ERRORS[code].message,
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
    this.name = 'CallbackRefused';
    this.status = ERRORS[code].status;
  }
}

/** The same for a missing item and another lender's item. */
export function notAsked(what: string): CallbackRefused {
  return new CallbackRefused('not_found', `This lender was not asked about this ${what}`);
}

export type ReadCallback = {
  readonly [Name in CallbackName]: {
    readonly name: Name;
    readonly id: string;
    readonly body: CallbackOf<Name>;
    /** The original JSON: it identifies the message even after the schema has grown. */
    readonly json: string;
  };
}[CallbackName];

export type ReadOf<Name extends CallbackName> = Extract<ReadCallback, { name: Name }>;

const MAX_PROBLEMS = 5;
const MAX_NESTING = 32;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Call it after the signature check.
 * @throws CallbackRefused
 */
export function readCallback(name: CallbackName, request: RawRequest): ReadCallback {
  if (request.get(PROTOCOL.headers.version) !== PROTOCOL.version) {
    throw new CallbackRefused('version_not_supported');
  }
  const mediaType = request.get('content-type')?.split(';')[0].trim().toLowerCase();
  if (mediaType !== 'application/json') throw new CallbackRefused('unsupported_media_type');
  const content = parsed(request.rawBody);
  if (isDeeper(content, MAX_NESTING)) {
    throw new CallbackRefused('invalid_request', 'The body is nested too deeply');
  }
  const read = CALLBACKS[name].request.safeParse(content);
  if (!read.success) throw new CallbackRefused('invalid_request', problemsIn(read.error.issues));
  const callback = {
    name,
    id: idOf(read.data),
    body: read.data,
    json: JSON.stringify(content),
  } as ReadCallback;
  if (request.get(PROTOCOL.headers.idempotencyKey) !== callback.id) {
    const field = name === 'ANSWERS' ? 'answer.answerId' : 'id';
    throw new CallbackRefused('invalid_request', `Idempotency-Key must equal ${field} of the body`);
  }
  return callback;
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(UTF8.decode(bytes));
  } catch {
    throw new CallbackRefused('invalid_request', 'The body is not JSON in UTF-8');
  }
}

function problemsIn(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): string {
  const problems = issues
    .slice(0, MAX_PROBLEMS)
    .map(({ path, message }) => `${path.map(String).join('.') || 'the body'}: ${message}`);
  return problems.join('; ').slice(0, 500);
}

function idOf(body: CallbackOf<CallbackName>): string {
  return 'answer' in body ? body.answer.answerId : body.id;
}
