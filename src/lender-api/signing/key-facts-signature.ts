import { compactVerify, decodeProtectedHeader, errors } from 'jose';
import type { FindKey } from '../protocol-keys.js';
import { SignatureRefused } from './signature-refused.js';

const MAX_SIGNATURE = 2_000;

/**
 * Checks a lender's compact JWS (RFC 7515) over the statement's hash as text. It has no time: the answer around it is
 * signed for its own.
 * @param hash SHA-256 in 64 lower-case hex characters
 * @throws SignatureRefused
 */
export async function verifyKeyFactsSignature(
  signature: string,
  hash: string,
  findKey: FindKey,
): Promise<void> {
  const { alg, kid } = headerOf(signature);
  const key = typeof kid === 'string' ? await findKey(kid) : null;
  if (!key) throw new SignatureRefused('UNKNOWN_KEY');
  if (alg !== key.algorithm) throw new SignatureRefused('WRONG_ALGORITHM');
  try {
    const { payload } = await compactVerify(signature, key.publicKey, { algorithms: [alg] });
    if (Buffer.from(payload).toString('latin1') === hash) return;
  } catch (cause) {
    if (!(cause instanceof errors.JOSEError)) throw cause;
    throw new SignatureRefused('DOES_NOT_MATCH', { cause });
  }
  throw new SignatureRefused('OTHER_STATEMENT');
}

function headerOf(signature: string): { alg?: string; kid?: string } {
  if (signature.length > MAX_SIGNATURE) throw new SignatureRefused('MALFORMED');
  try {
    return decodeProtectedHeader(signature);
  } catch (cause) {
    throw new SignatureRefused('MALFORMED', { cause });
  }
}
