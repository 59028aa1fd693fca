import { createHash } from 'node:crypto';
import { canonicalHead, type SignedRequest } from './request-signature.js';
import { isObject } from '../platform/index.js';

export const SIGNATURE_MISTAKES = {
  BODY_LEFT_OUT: 'it fits the request without its body: sign the bytes of the body, too',
  BODY_HASHED: 'it fits the SHA-256 of the body, or of an empty body: sign the bytes themselves',
  BODY_SERIALISED_AGAIN:
    'it fits the same JSON serialised differently: sign exactly the bytes that you send',
  BODY_ENDS_OTHERWISE:
    'it fits the body with other blanks or line feeds at its end: sign exactly the bytes that you send',
  QUERY_LEFT_OUT: 'it fits the path without its query: sign the query as sent, too',
  QUERY_CHANGED:
    'it fits the query decoded, encoded or sorted differently: sign it exactly as it is sent',
  HOST_SIGNED: 'it fits the whole URL: sign the path with its query, without scheme and host',
  PATH_CHANGED:
    'it fits the path with another prefix or with a part missing: sign it exactly as it is sent',
  OTHER_METHOD: 'it fits another method: sign the method that you send',
  METHOD_LOWER_CASE: 'it fits the method in lower case: sign it in upper case',
  SEPARATOR: 'it fits the parts with another separator: a line feed follows each part but the body',
  PART_ORDER: 'it fits the parts in another order: it is method, target, timestamp, nonce, body',
  TIMESTAMP_IN_MILLISECONDS: 'it fits the time in milliseconds: sign the header’s text, in seconds',
  OTHER_TIMESTAMP:
    'it fits a time some seconds from the header’s: use one timestamp for the header and for signing',
  NONCE_CHANGED: 'it fits the nonce in other letters or without dashes: sign the header’s text',
  API_KEY_AS_SECRET: 'it is made with the API key: sign with the secret issued with it',
  SECRET_CUT: 'it is made with a part of the secret: use the whole secret, with its prefix',
  SECRET_DECODED: 'it is made with the secret decoded: use the text itself, with its prefix',
  SECRET_WITH_MORE:
    'it is made with the secret in quotes, or with a blank or a line feed around it: use the secret only',
  OTHER_SECRET: 'it is made with the secret of another of your keys: use the secret of this key',
  NO_HMAC: 'it is a plain SHA-256: make an HMAC-SHA256 with the secret as its key',
  SIGNATURE_IN_BASE64: 'it is right, but in Base64: send it in hexadecimal',
} as const;

export type SignatureMistake = keyof typeof SIGNATURE_MISTAKES;

export interface MistakeGround {
  readonly request: SignedRequest;
  readonly secret: string;
  readonly apiKey?: string;
  /** Includes revoked keys. */
  readonly otherSecrets: readonly string[];
  /** With the port. */
  readonly hosts: readonly string[];
}

export interface Candidate {
  readonly mistake: SignatureMistake;
  /** Null: a plain SHA-256. */
  readonly key: string | Buffer | null;
  readonly message: readonly (string | Buffer)[];
  readonly inPlace?: string;
}

/** A longer cut would let a caller guess the rest of a secret character by character. */
const MAX_CUT = 8;
const SECRET_BODY = /^[a-z][a-z0-9-]*_secret_(?:test|live)_([A-Za-z0-9_-]{43})$/;
const PREFIX = /^(\/api)?\/v1\/partner/;
const SEPARATORS = ['', ':', '.', '|', ' ', '&', '\r\n', '\\n'];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const SECONDS_OFF = [-2, -1, 1, 2];
const MS_PER_SECOND = 1_000;
/** Larger bodies would make 1,000 HMACs too slow. */
const MAX_BODY_BYTES = 1_024;

/** Likely candidates first: some hundred, and a thousand more for small bodies. */
export function* candidates(ground: MistakeGround): Generator<Candidate> {
  const { secret, request } = ground;
  const made = (mistake: SignatureMistake, ...message: (string | Buffer)[]): Candidate => ({
    mistake,
    key: secret,
    message,
  });
  const head = canonicalHead(request);
  for (const [mistake, body] of otherBodies(request.body)) yield made(mistake, head, body);
  for (const [mistake, changes] of otherHeads(ground)) {
    const [inPlace] = Object.values(changes);
    yield { ...made(mistake, canonicalHead({ ...request, ...changes }), request.body), inPlace };
  }
  yield made(
    'METHOD_LOWER_CASE',
    head.replace(/^\w+/, (method) => method.toLowerCase()),
    request.body,
  );
  for (const [mistake, parts, separator] of otherShapes(request)) {
    yield made(mistake, parts.join(separator), request.body);
  }
  for (const [mistake, key] of otherSecrets(ground)) {
    yield { mistake, key, message: [head, request.body] };
  }
  for (const message of [[head], [secret, head], [head]]) {
    yield { mistake: 'NO_HMAC', key: null, message: [...message, request.body] };
  }
  yield { mistake: 'NO_HMAC', key: null, message: [head, request.body, secret] };
  if (request.body.length > MAX_BODY_BYTES) return;
  for (let ms = 0; ms < MS_PER_SECOND; ms += 1) {
    const timestamp = request.timestamp + String(ms).padStart(3, '0');
    yield made('TIMESTAMP_IN_MILLISECONDS', canonicalHead({ ...request, timestamp }), request.body);
  }
}

function* otherBodies(body: Buffer): Generator<[SignatureMistake, string | Buffer]> {
  for (const hashed of [body, '']) {
    for (const encoding of ['hex', 'base64'] as const) {
      yield ['BODY_HASHED', createHash('sha256').update(hashed).digest(encoding)];
    }
  }
  if (body.length === 0) return;
  yield ['BODY_LEFT_OUT', ''];
  for (const text of bodiesSerialisedAgain(body)) yield ['BODY_SERIALISED_AGAIN', text];
  const text = body.toString('utf8');
  for (const ended of [`${text}\n`, `${text}\r\n`, text.trim(), text.trimEnd()]) {
    yield ['BODY_ENDS_OTHERWISE', ended];
  }
}

type HeadChanges = Partial<Pick<SignedRequest, 'method' | 'target' | 'timestamp' | 'nonce'>>;

function* otherHeads(ground: MistakeGround): Generator<[SignatureMistake, HeadChanges]> {
  const { target, timestamp, nonce } = ground.request;
  const [path = '', query] = target.split(/\?(.*)/s, 2);
  if (query !== undefined) yield ['QUERY_LEFT_OUT', { target: path }];
  for (const changed of otherQueries(target, path, query))
    yield ['QUERY_CHANGED', { target: changed }];
  for (const host of ground.hosts) {
    for (const scheme of ['https://', 'http://', '']) {
      yield ['HOST_SIGNED', { target: scheme + host + target }];
      if (query !== undefined) yield ['HOST_SIGNED', { target: scheme + host + path }];
    }
  }
  for (const prefix of ['', '/v1/partner', '/api/v1/partner']) {
    yield ['PATH_CHANGED', { target: target.replace(PREFIX, prefix) }];
  }
  const slash = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
  yield ['PATH_CHANGED', { target: slash + target.slice(path.length) }];
  yield ['PATH_CHANGED', { target: target.slice(1) }];
  for (const method of METHODS) yield ['OTHER_METHOD', { method }];
  for (const seconds of SECONDS_OFF) {
    yield ['OTHER_TIMESTAMP', { timestamp: String(Number(timestamp) + seconds) }];
  }
  for (const changed of [nonce.toLowerCase(), nonce.toUpperCase(), nonce.replaceAll('-', '')]) {
    yield ['NONCE_CHANGED', { nonce: changed }];
  }
}

function* otherQueries(target: string, path: string, query: string | undefined): Generator<string> {
  if (query === undefined) return;
  yield `${path}?${query.split('&').toSorted().join('&')}`;
  yield `${path}?${new URLSearchParams(query).toString()}`;
  yield encodeURI(target);
  try {
    yield decodeURIComponent(target);
  } catch {
    // Invalid encoding, so the caller did not sign it decoded.
  }
}

function* otherShapes({
  method,
  target,
  timestamp,
  nonce,
}: SignedRequest): Generator<[SignatureMistake, string[], string]> {
  const parts = [method.toUpperCase(), target, timestamp, nonce];
  for (const separator of SEPARATORS) yield ['SEPARATOR', [...parts, ''], separator];
  // The last line feed is required without a body too.
  yield ['SEPARATOR', parts, '\n'];
  const [verb = '', address = ''] = parts;
  const orders = [
    [verb, address, nonce, timestamp],
    [timestamp, nonce, verb, address],
    [nonce, timestamp, verb, address],
    [timestamp, verb, address, nonce],
  ];
  for (const order of orders) yield ['PART_ORDER', [...order, ''], '\n'];
}

function* otherSecrets({
  secret,
  apiKey,
  otherSecrets: others,
}: MistakeGround): Generator<[SignatureMistake, string | Buffer]> {
  if (apiKey !== undefined) yield ['API_KEY_AS_SECRET', apiKey];
  for (const other of others) yield ['OTHER_SECRET', other];
  const random = SECRET_BODY.exec(secret)?.[1];
  if (random !== undefined) {
    yield ['SECRET_CUT', random];
    yield ['SECRET_DECODED', Buffer.from(random, 'base64url')];
    yield ['SECRET_DECODED', Buffer.from(secret, 'base64')];
    for (let cut = 1; cut <= MAX_CUT; cut += 1) {
      yield ['SECRET_CUT', secret.slice(0, -cut)];
      yield ['SECRET_CUT', secret.slice(cut)];
      yield ['SECRET_CUT', random.slice(0, -cut)];
    }
  }
  for (const more of [
    `${secret}\n`,
    `${secret}\r\n`,
    `${secret} `,
    ` ${secret}`,
    `"${secret}"`,
    `'${secret}'`,
  ]) {
    yield ['SECRET_WITH_MORE', more];
  }
}

/** Larger bodies are not parsed: their sender is unverified. */
const MAX_BYTES = 16 * 1024;

interface Style {
  readonly comma: string;
  readonly colon: string;
  readonly isSorted: boolean;
  readonly isAscii: boolean;
}

const STYLES: readonly Style[] = [false, true].flatMap((isSorted) =>
  [false, true].flatMap((isAscii) => [
    { comma: ',', colon: ':', isSorted, isAscii },
    { comma: ', ', colon: ': ', isSorted, isAscii },
  ]),
);
const INDENTS = [2, 4, '\t'];

/** The same JSON in the forms of common libraries. Empty when the body is large or not JSON. */
function bodiesSerialisedAgain(body: Buffer): string[] {
  if (body.length > MAX_BYTES) return [];
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    const written = [
      ...STYLES.map((style) => write(value, style)),
      ...INDENTS.map((indent) => JSON.stringify(value, null, indent)),
    ];
    const sent = body.toString('utf8');
    return [...new Set(written)].filter((text) => text !== sent);
  } catch {
    // Not JSON, or nested too deeply.
    return [];
  }
}

function write(value: unknown, style: Style): string {
  if (Array.isArray(value)) {
    return `[${value.map((item) => write(item, style)).join(style.comma)}]`;
  }
  if (isObject(value)) {
    const entries = Object.entries(value);
    const ordered = style.isSorted ? entries.toSorted(([a], [b]) => (a < b ? -1 : 1)) : entries;
    const fields = ordered.map(
      ([name, field]) => write(name, style) + style.colon + write(field, style),
    );
    return `{${fields.join(style.comma)}}`;
  }
  const text = JSON.stringify(value);
  return style.isAscii ? text.replaceAll(/[\u007f-\uffff]/g, escaped) : text;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
