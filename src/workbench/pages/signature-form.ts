import { NONCE_FORM, TIMESTAMP_FORM } from '../../auth/index.js';
import type { Entered } from '../../platform/index.js';

export const METHODS = ['GET', 'POST', 'DELETE'] as const;

const FIELDS = ['key', 'method', 'target', 'timestamp', 'nonce', 'signature', 'body'] as const;

/** Trimmed, except for `body`. */
export type PastedCall = Readonly<Record<(typeof FIELDS)[number], string>>;

export type FieldErrors = Partial<Record<(typeof FIELDS)[number], string>>;

const TARGET = /^\/[\x21-\x7e]*$/;
const SIGNATURE = /^([0-9a-f]{64}|[A-Za-z0-9+/_-]{43}=?)$/i;
const MILLISECONDS = /^\d{13}$/;

export function pastedIn(entered: Entered): PastedCall {
  const pasted = FIELDS.map((name) => [name, entered[name] ?? ''] as const);
  return Object.fromEntries(
    pasted.map(([name, text]) => [name, name === 'body' ? text : text.trim()]),
  ) as PastedCall;
}

export function errorsOf(pasted: PastedCall, keyIds: readonly string[]): FieldErrors {
  const { key, method, target, timestamp, nonce, signature } = pasted;
  const wrong: FieldErrors = {};
  if (!keyIds.includes(key)) wrong.key = 'Choose the key that the call was made with.';
  if (!METHODS.some((one) => one === method)) wrong.method = 'Choose the method.';
  if (!TARGET.test(target)) wrong.target = targetError(target);
  if (!TIMESTAMP_FORM.test(timestamp)) wrong.timestamp = timestampError(timestamp);
  if (!NONCE_FORM.test(nonce)) {
    wrong.nonce = 'x-nonce is a UUID v4, with its dashes. A call with another is answered 401.';
  }
  if (!SIGNATURE.test(signature)) {
    wrong.signature =
      'x-signature is 64 hexadecimal characters: HMAC-SHA256 gives 32 bytes. A call with another is answered 401.';
  }
  return wrong;
}

function targetError(target: string): string {
  if (target.includes('…')) return 'Put in what you sent where … stands: the log does not keep it.';
  return 'The path with its query as sent, from the first slash on: without scheme and host, and with nothing left to encode.';
}

function timestampError(timestamp: string): string {
  return MILLISECONDS.test(timestamp)
    ? 'These are milliseconds. x-timestamp is in seconds: 10 digits.'
    : 'x-timestamp is the Unix time in whole seconds: 10 digits.';
}

/** A form sends every line break as CR LF, whatever it was before. */
export function bodiesOf({ body }: PastedCall): Buffer[] {
  const withLineFeeds = body.replaceAll('\r\n', '\n');
  const texts = new Set([withLineFeeds, withLineFeeds.replaceAll('\n', '\r\n')]);
  return [...texts].map((text) => Buffer.from(text, 'utf8'));
}
