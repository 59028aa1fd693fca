import { createHmac, timingSafeEqual } from 'node:crypto';

/** The likely mistake, by a name that programs can use. */
export type Mistake =
  | 'HEADER_MISSING'
  | 'HEADER_MALFORMED'
  | 'BODY_NOT_RAW'
  | 'BODY_WRITTEN_ANEW'
  | 'SECRET_MALFORMED'
  | 'SECRET_WRONG'
  | 'SECRET_PREVIOUS'
  | 'CLOCK';

/** A webhook that must not be believed; `message` says what the likely mistake is. */
export class WebhookVerificationError extends Error {
  readonly mistake: Mistake;

  constructor(mistake: Mistake, message: string) {
    super(message);
    this.name = 'WebhookVerificationError';
    this.mistake = mistake;
  }
}

/** What a verified webhook says of itself, and its body. */
export interface VerifiedWebhook {
  /** The same on every attempt and for every subscription: what has been seen before. */
  readonly id: string;
  /** When this attempt was signed, in Unix seconds. */
  readonly timestamp: number;
  /** Whether a rotation has replaced the secret; it is good for 24 hours from then on. */
  readonly isPreviousSecret: boolean;
  /** The body, parsed. */
  readonly body: Record<string, unknown>;
}

export interface VerifyOptions {
  /** How far the sender's clock and ours may be apart, in seconds; 300 unless told. */
  readonly toleranceSeconds?: number;
  /** Whether a replaced secret is still taken, as long as the service signs with it. */
  readonly acceptPrevious?: boolean;
  /** Unix seconds; the machine's time unless told. */
  readonly now?: number;
}

/** Headers as Node, Fetch or a plain object has them. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

interface Parts {
  readonly id: string;
  readonly timestamp: number;
  /** The `v1` signatures of `webhook-signature`: with the secret in force, then those before it. */
  readonly signatures: readonly Buffer[];
}

const PREFIX = 'whsec_';
/** Of 32 bytes in base64. */
const WHOLE = /^whsec_[A-Za-z0-9+/]{43}=$/;
const TOLERANCE_SECONDS = 300;

/**
 * Verifies a webhook on its raw bytes:
 *
 *     const { body } = verifyWebhook(rawBody, request.headers, process.env.WEBHOOK_SECRET);
 *
 * @param rawBody the bytes as they came, before anything parsed them
 * @param secret the whole text that registration or rotation answered, `whsec_` included
 * @throws WebhookVerificationError naming the likely mistake
 */
export function verifyWebhook(
  rawBody: Uint8Array | string,
  headers: WebhookHeaders,
  secret: string,
  options: VerifyOptions = {},
): VerifiedWebhook {
  const bytes = bytesOf(rawBody);
  const key = keyOf(secret);
  const parts = partsOf(headers);
  const place = matchOf(parts, bytes, key);
  if (place < 0) throw likelyMistake(parts, bytes, key);
  assertClock(parts.timestamp, options);
  const isPreviousSecret = place > 0;
  if (isPreviousSecret && options.acceptPrevious === false) {
    throw new WebhookVerificationError(
      'SECRET_PREVIOUS',
      'A rotation has replaced this secret: use the one that the rotation answered',
    );
  }
  const body = JSON.parse(Buffer.from(bytes).toString('utf8')) as Record<string, unknown>;
  return { id: parts.id, timestamp: parts.timestamp, isPreviousSecret, body };
}

/** @throws WebhookVerificationError when it is something that was parsed */
export function bytesOf(rawBody: Uint8Array | string): Uint8Array {
  if (typeof rawBody === 'string') return Buffer.from(rawBody, 'utf8');
  if (rawBody instanceof Uint8Array) return rawBody;
  throw new WebhookVerificationError(
    'BODY_NOT_RAW',
    'The body is not its raw bytes but something that was parsed: keep the bytes as they came ' +
      '(`express.raw()`, `await request.text()`), verify them, and parse them afterwards',
  );
}

/** The key in a secret. @throws WebhookVerificationError when the secret is not whole */
export function keyOf(secret: string): Buffer {
  if (WHOLE.test(secret)) return Buffer.from(secret.slice(PREFIX.length), 'base64');
  throw new WebhookVerificationError(
    'SECRET_MALFORMED',
    'The secret is not whole: it is `whsec_` and 44 characters, without blanks or quotes',
  );
}

function partsOf(headers: WebhookHeaders): Parts {
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const signatures = header(headers, 'webhook-signature')
    .split(' ')
    .filter((one) => one.startsWith('v1,'))
    .map((one) => Buffer.from(one.slice(3), 'base64'));
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookVerificationError(
      'HEADER_MALFORMED',
      'The header webhook-timestamp is not a number of seconds',
    );
  }
  if (signatures.length === 0) {
    throw new WebhookVerificationError(
      'HEADER_MALFORMED',
      'The header webhook-signature holds no signature of version 1 (`v1,…`)',
    );
  }
  return { id, timestamp: Number(timestamp), signatures };
}

function header(headers: WebhookHeaders, name: string): string {
  const value = valueOf(headers, name);
  if (value !== undefined && value !== '') return value;
  throw new WebhookVerificationError(
    'HEADER_MISSING',
    `The header ${name} is missing: this is no webhook of Rinpath, or something in front of the ` +
      'receiver takes it away',
  );
}

function valueOf(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
  const plain = headers as Readonly<Record<string, string | readonly string[] | undefined>>;
  const found = Object.keys(plain).find((one) => one.toLowerCase() === name);
  const value = found === undefined ? undefined : plain[found];
  return typeof value === 'string' ? value : value?.[0];
}

/** Which of the signatures this key has made; -1: none. */
function matchOf(parts: Parts, bytes: Uint8Array, key: Buffer): number {
  const expected = signWebhook(parts.id, parts.timestamp, bytes, key);
  // Each is compared in constant time, so that an attacker does not learn how much of a guess was right.
  return parts.signatures.findIndex(
    (one) => one.length === expected.length && timingSafeEqual(one, expected),
  );
}

/** The signature of the Standard Webhooks, version 1. */
export function signWebhook(id: string, timestamp: number, bytes: Uint8Array, key: Buffer): Buffer {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(bytes).digest();
}

/** The service writes compact JSON, so what was parsed and written again can be put back. */
function likelyMistake(parts: Parts, bytes: Uint8Array, key: Buffer): WebhookVerificationError {
  const compact = compactOf(bytes);
  if (compact !== null && matchOf(parts, compact, key) >= 0) {
    return new WebhookVerificationError(
      'BODY_WRITTEN_ANEW',
      'The secret is right, but these are not the bytes that came: the body was parsed and written ' +
        'again on its way here. Keep the raw bytes, and verify those',
    );
  }
  return new WebhookVerificationError(
    'SECRET_WRONG',
    'No signature fits: the secret is another subscription’s, or was replaced by a rotation more ' +
      'than 24 hours ago, or the body was altered',
  );
}

function compactOf(bytes: Uint8Array): Buffer | null {
  try {
    return Buffer.from(JSON.stringify(JSON.parse(Buffer.from(bytes).toString('utf8'))), 'utf8');
  } catch {
    return null;
  }
}

function assertClock(timestamp: number, { toleranceSeconds, now }: VerifyOptions): void {
  const behind = (now ?? Math.floor(Date.now() / 1_000)) - timestamp;
  if (Math.abs(behind) <= (toleranceSeconds ?? TOLERANCE_SECONDS)) return;
  const where = behind > 0 ? 'in the past' : 'in the future';
  throw new WebhookVerificationError(
    'CLOCK',
    `The signature is right, but ${Math.abs(behind)} seconds ${where}: this machine’s clock is off, ` +
      'or an old webhook is being sent again',
  );
}
