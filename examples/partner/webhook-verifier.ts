import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook } from '../../clients/node/src/index.ts';

export interface Verdict {
  /** The service's own header, checked with the code in this file. */
  ownCode: boolean;
  /** The Standard Webhooks headers, checked by that project's library. */
  library: boolean;
  /** The same headers, checked by our helper: the likely error as a sentence, if any. */
  mistake: string | undefined;
}

/** All three verifications of one delivery, over the raw bytes. */
export function verifyDelivery(
  secret: string,
  rawBody: Buffer,
  headers: IncomingHttpHeaders,
): Verdict {
  return {
    ownCode: verifyWithOwnCode(secret, rawBody, headers),
    library: verifyWithLibrary(secret, rawBody, headers),
    mistake: findMistake(secret, rawBody, headers),
  };
}

/** The helper's likely cause, for the developer; undefined without an error. */
export function findMistake(
  secret: string,
  rawBody: Buffer,
  headers: IncomingHttpHeaders,
): string | undefined {
  try {
    verifyWebhook(rawBody, headers, secret);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * Hex HMAC-SHA256 over the raw bytes. The key is the text of the whole secret, `whsec_` included. Parsing and
 * serialising the body again would change its bytes and the signature.
 */
export function verifyWithOwnCode(
  secret: string,
  rawBody: Buffer,
  headers: IncomingHttpHeaders,
): boolean {
  const slug = findServiceSlug(headers);
  const given = slug === undefined ? undefined : headers[`x-${slug}-signature`];
  if (typeof given !== 'string' || !/^[0-9a-f]{64}$/i.test(given)) return false;
  const expected = createHmac('sha256', Buffer.from(secret, 'utf8')).update(rawBody).digest();
  // Constant time, so that response times do not help an attacker guess.
  return timingSafeEqual(Buffer.from(given, 'hex'), expected);
}

/** The library also refuses a delivery whose timestamp is more than five minutes off. */
export function verifyWithLibrary(
  secret: string,
  rawBody: Buffer,
  headers: IncomingHttpHeaders,
): boolean {
  const wanted = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const given = wanted.map((name) => [name, String(headers[name] ?? '')]);
  try {
    const standard: Record<string, string> = Object.fromEntries(given);
    new Webhook(secret).verify(rawBody, standard, { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}

/**
 * The word between `x-` and `-signature`. A service may have another brand, and a proxy may add its own signature, so
 * this takes the slug that also has the event id.
 */
export function findServiceSlug(headers: IncomingHttpHeaders): string | undefined {
  return Object.keys(headers)
    .map((name) => /^x-(.+)-signature$/.exec(name)?.[1])
    .find((slug) => slug !== undefined && headers[`x-${slug}-event-id`] !== undefined);
}
