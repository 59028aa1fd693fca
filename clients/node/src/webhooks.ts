import { createHmac, timingSafeEqual } from 'node:crypto';

/** The likely error, as a name for programs. */
export type Mistake =
  | 'HEADER_MISSING'
  | 'HEADER_MALFORMED'
  | 'BODY_NOT_RAW'
  | 'BODY_WRITTEN_ANEW'
  | 'SECRET_MALFORMED'
  | 'SECRET_WRONG'
  | 'SECRET_PREVIOUS'
  | 'CLOCK';

/** The webhook is not authentic; `message` names the likely error. */
export class WebhookVerificationError extends Error {
  readonly mistake: Mistake;

  constructor(mistake: Mistake, message: string) {
    super(message);
    this.name = 'WebhookVerificationError';
    this.mistake = mistake;
  }
}

/** A verified webhook's headers and body. */
export interface VerifiedWebhook {
  /** The same on every attempt and for every subscription: deduplicate by it. */
  readonly id: string;
  /** When this attempt was signed, in Unix seconds. */
  readonly timestamp: number;
  /** Whether a rotation replaced the secret, which then stays valid for 24 hours. */
  readonly isPreviousSecret: boolean;
  /** The body, parsed. */
  readonly body: Record<string, unknown>;
}

export interface VerifyOptions {
  /** Largest difference of the clocks in seconds; default: 300. */
  readonly toleranceSeconds?: number;
  /** Whether a replaced secret is accepted while the service still signs with it. */
  readonly acceptPrevious?: boolean;
  /** Unix seconds; default: the machine's time. */
  readonly now?: number;
}

/** Headers of Node, Fetch or a plain object. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

interface Parts {
  readonly id: string;
  readonly timestamp: number;
  /** The `v1` signatures of `webhook-signature`: the current secret's first, then the earlier ones'. */
  readonly signatures: readonly Buffer[];
}

const PREFIX = 'whsec_';
/** Of 32 bytes in base64. */
const WHOLE = /^whsec_[A-Za-z0-9+/]{43}=$/;
const TOLERANCE_SECONDS = 300;

/**
 * Verifies a webhook on its raw bytes: `verifyWebhook(rawBody, request.headers, process.env.WEBHOOK_SECRET)`.
 * @param rawBody the received bytes, before any parsing
 * @param secret the whole text from registration or rotation, `whsec_` included
 * @throws WebhookVerificationError naming the likely error
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
  if (place < 0) throw likelyMistake(bytes, (one) => matchOf(parts, one, key) >= 0);
  assertClock(parts.timestamp, options);
  const isPreviousSecret = place > 0;
  if (isPreviousSecret && options.acceptPrevious === false) {
    throw new WebhookVerificationError(
      'SECRET_PREVIOUS',
      'A rotation replaced this secret: use the new secret',
    );
  }
  const body = JSON.parse(Buffer.from(bytes).toString('utf8')) as Record<string, unknown>;
  return { id: parts.id, timestamp: parts.timestamp, isPreviousSecret, body };
}

/**
 * Verifies the service's own signature header, which has no timestamp.
 * @param signature 64 hexadecimal characters
 * @throws WebhookVerificationError naming the likely error
 */
export function verifyBodySignature(bytes: Uint8Array, signature: string, secret: string): void {
  keyOf(secret);
  const given = Buffer.from(signature, 'hex');
  const isSigned = (one: Uint8Array) => {
    const expected = createHmac('sha256', secret).update(one).digest();
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  if (!isSigned(bytes)) throw likelyMistake(bytes, isSigned);
}

/** @throws WebhookVerificationError for a parsed body */
export function bytesOf(rawBody: Uint8Array | string): Uint8Array {
  if (typeof rawBody === 'string') return Buffer.from(rawBody, 'utf8');
  if (rawBody instanceof Uint8Array) return rawBody;
  throw new WebhookVerificationError(
    'BODY_NOT_RAW',
    'The body was already parsed: keep its raw bytes ' +
      '(`express.raw()`, `await request.text()`), verify them, then parse them',
  );
}

/** The key in a secret. @throws WebhookVerificationError when the secret is incomplete */
export function keyOf(secret: string): Buffer {
  if (WHOLE.test(secret)) return Buffer.from(secret.slice(PREFIX.length), 'base64');
  throw new WebhookVerificationError(
    'SECRET_MALFORMED',
    'The secret is incomplete: copy `whsec_` and the 44 characters after it, without blanks or quotes',
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
      'The header webhook-timestamp must be Unix time in seconds: pass it exactly as it arrived',
    );
  }
  if (signatures.length === 0) {
    throw new WebhookVerificationError(
      'HEADER_MALFORMED',
      'The header webhook-signature must have a signature `v1,…`: pass it exactly as it arrived',
    );
  }
  return { id, timestamp: Number(timestamp), signatures };
}

function header(headers: WebhookHeaders, name: string): string {
  const value = valueOf(headers, name);
  if (value !== undefined && value !== '') return value;
  throw new WebhookVerificationError(
    'HEADER_MISSING',
    `The header ${name} is missing: pass all headers that arrived, and let no proxy remove it. ` +
      'A request without it is not from Rinpath',
  );
}

function valueOf(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
  const plain = headers as Readonly<Record<string, string | readonly string[] | undefined>>;
  const found = Object.keys(plain).find((one) => one.toLowerCase() === name);
  const value = found === undefined ? undefined : plain[found];
  return typeof value === 'string' ? value : value?.[0];
}

/** Index of the signature that this key made; -1: none. */
function matchOf(parts: Parts, bytes: Uint8Array, key: Buffer): number {
  const expected = signWebhook(parts.id, parts.timestamp, bytes, key);
  // Constant time, so that response times do not help an attacker guess a signature.
  return parts.signatures.findIndex(
    (one) => one.length === expected.length && timingSafeEqual(one, expected),
  );
}

/** The signature of the Standard Webhooks, version 1. */
export function signWebhook(id: string, timestamp: number, bytes: Uint8Array, key: Buffer): Buffer {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(bytes).digest();
}

/** The service writes compact JSON, so a body that was parsed and serialised again can be restored. */
function likelyMistake(
  bytes: Uint8Array,
  isSigned: (bytes: Uint8Array) => boolean,
): WebhookVerificationError {
  const compact = compactOf(bytes);
  if (compact !== null && isSigned(compact)) {
    return new WebhookVerificationError(
      'BODY_WRITTEN_ANEW',
      'The secret is right, but the body was parsed and serialised again: verify the raw bytes',
    );
  }
  return new WebhookVerificationError(
    'SECRET_WRONG',
    'No signature matches: use the current secret of this subscription, and the body ' +
      'exactly as it arrived',
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
    `The signature is valid, but ${Math.abs(behind)} seconds ${where}: set this machine’s clock. ` +
      'If the clock is correct, reject this webhook',
  );
}
