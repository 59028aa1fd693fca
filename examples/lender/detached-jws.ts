import { errors, flattenedVerify, FlattenedSign } from 'jose';
import type { CryptoKey, FlattenedVerifyGetKey, JWSHeaderParameters } from 'jose';

/** Ed25519 and ES256 only. */
export type Algorithm = 'EdDSA' | 'ES256';

export const ALGORITHMS: readonly Algorithm[] = ['EdDSA', 'ES256'];

export interface SigningKey {
  readonly kid: string;
  readonly alg: Algorithm;
  readonly privateKey: CryptoKey;
}

/** The claims of a signature. */
export type Claims = Readonly<Record<string, string | number>>;

/**
 * A detached JWS with an unencoded payload (RFC 7515, appendix F; RFC 7797): `header..signature` over the body's exact
 * bytes.
 */
export async function signDetached(
  body: Uint8Array,
  key: SigningKey,
  claims: Claims,
): Promise<string> {
  const header = { ...claims, alg: key.alg, kid: key.kid, b64: false, crit: ['b64'] };
  const jws = await new FlattenedSign(body).setProtectedHeader(header).sign(key.privateKey);
  return `${jws.protected}..${jws.signature}`;
}

/** The signature is malformed, of an unknown key, or not over these bytes. */
export class NotSigned extends Error {}

/**
 * Returns the protected header of a valid signature.
 * @throws NotSigned; another error when the keys could not be fetched
 */
export async function verifyDetached(
  signature: string | undefined,
  body: Uint8Array,
  keys: FlattenedVerifyGetKey,
): Promise<JWSHeaderParameters & Record<string, unknown>> {
  const parts = signature?.split('.') ?? [];
  const [header, payload, value] = parts;
  if (parts.length !== 3 || !header || payload !== '' || !value) {
    throw new NotSigned('x-jws-signature is not a detached JWS');
  }
  const jws = { protected: header, payload: body, signature: value };
  try {
    // The library accepts bytes only under `b64: false`.
    const { protectedHeader } = await flattenedVerify(jws, keys, { algorithms: [...ALGORITHMS] });
    return protectedHeader as JWSHeaderParameters & Record<string, unknown>;
  } catch (error) {
    // An error while fetching keys is not about the signature.
    if (!isAboutSignature(error)) throw error;
    throw new NotSigned('the signature does not hold', { cause: error });
  }
}

function isAboutSignature(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return false;
  return error.code !== errors.JWKSTimeout.code && error.code !== errors.JOSEError.code;
}
