import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { pattern, reference } from './protocol/primitives.js';
import { PROTOCOL } from './protocol/transport.js';

export type SigningAlgorithm = (typeof PROTOCOL.algorithms)[number];

export interface VerificationKey {
  readonly kid: string;
  readonly algorithm: SigningAlgorithm;
  readonly publicKey: KeyObject;
}

export interface SigningKey {
  readonly kid: string;
  readonly algorithm: SigningAlgorithm;
  readonly privateKey: KeyObject;
}

export type FindKey = (kid: string) => Promise<VerificationKey | null>;

const bytes32 = (description: string) =>
  pattern(/^[A-Za-z0-9_-]{43}$/, description, '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo');

const common = {
  kid: reference('The key’s id in signatures.', 'rinpath-2026-1'),
  use: z.literal('sig').optional(),
  // A configuration or key list must not contain a private part.
  d: z.never({ error: 'must not be present: this is a private key' }).optional(),
};

const Jwk = z.discriminatedUnion('kty', [
  z.object({
    ...common,
    kty: z.literal('OKP'),
    crv: z.literal('Ed25519'),
    x: bytes32('The public key.'),
    // RFC 9864 names the curve; both names mean the same signature.
    alg: z.enum(['EdDSA', 'Ed25519']).optional(),
  }),
  z.object({
    ...common,
    kty: z.literal('EC'),
    crv: z.literal('P-256'),
    x: bytes32('Of the point.'),
    y: bytes32('Of the point.'),
    alg: z.literal('ES256').optional(),
  }),
]);

/** RFC 7517. */
export const KeySet = z.object({ keys: z.array(Jwk).min(1) }).describe('The public keys.');

export type PublicJwk = z.infer<typeof Jwk>;

/** Empty when it can check signatures. */
export function publicJwkProblems(value: unknown): string[] {
  const read = Jwk.safeParse(value);
  if (!read.success) {
    return read.error.issues.map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`);
  }
  try {
    verificationKey(read.data);
    return [];
  } catch {
    return ['it: not a point of the curve'];
  }
}

/** @throws Error for an invalid key */
export function verificationKey(value: unknown): VerificationKey {
  const { kid, use: _use, alg: _alg, d: _none, ...key } = Jwk.parse(value);
  return {
    kid,
    algorithm: key.kty === 'OKP' ? 'EdDSA' : 'ES256',
    publicKey: createPublicKey({ key, format: 'jwk' }),
  };
}

/** @param pem PKCS #8 */
export function signingKey(kid: string, pem: string): SigningKey {
  const privateKey = createPrivateKey(pem);
  const isEdwards = privateKey.asymmetricKeyType === 'ed25519';
  return { kid, algorithm: isEdwards ? 'EdDSA' : 'ES256', privateKey };
}

export function publicJwkOf({ kid, algorithm, privateKey }: SigningKey): PublicJwk {
  const key = createPublicKey(privateKey).export({ format: 'jwk' });
  return Jwk.parse({ ...key, kid, alg: algorithm, use: 'sig' });
}
