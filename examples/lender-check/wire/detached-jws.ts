import { FlattenedSign, flattenedVerify } from 'jose';
import type { CryptoKey, JWK } from 'jose';

export type Algorithm = 'EdDSA' | 'ES256';

export const ALGORITHMS: readonly Algorithm[] = ['EdDSA', 'ES256'];

export interface SigningKey {
  readonly kid: string;
  readonly alg: Algorithm;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

export type Header = Readonly<Record<string, unknown>>;

/** `header..signature` over the body's exact bytes (RFC 7515, appendix F; RFC 7797). */
export async function signDetached(
  body: Uint8Array,
  key: SigningKey,
  claims: Header,
): Promise<string> {
  const header = { alg: key.alg, kid: key.kid, b64: false, crit: ['b64'], ...claims };
  const signing = new FlattenedSign(body).setProtectedHeader(header);
  const { protected: head, signature } = await signing.sign(key.privateKey);
  return `${head}..${signature}`;
}

/** The result of reading a signature. */
export type Reading =
  | { readonly state: 'MISSING' }
  | { readonly state: 'MALFORMED'; readonly why: string }
  | { readonly state: 'UNKNOWN_KEY'; readonly header: Header }
  | { readonly state: 'BROKEN'; readonly header: Header }
  | { readonly state: 'HOLDS'; readonly header: Header };

export type FindKey = (kid: string) => Promise<CryptoKey | null>;

/** Returns the readable claims even if the signature is invalid. */
export async function readSignature(
  text: string | null | undefined,
  body: Uint8Array,
  findKey: FindKey,
): Promise<Reading> {
  if (!text) return { state: 'MISSING' };
  const parts = text.split('.');
  const [head = '', payload, signature = ''] = parts;
  if (parts.length !== 3 || payload !== '') return malformed('it is not header..signature');
  const header = readHeader(head);
  if (!header) return malformed('its header is not JSON');
  const problem = headerProblem(header);
  if (problem) return malformed(problem);
  const key = await findKey(String(header['kid']));
  if (!key) return { state: 'UNKNOWN_KEY', header };
  try {
    const jws = { protected: head, payload: body, signature };
    await flattenedVerify(jws, key, { algorithms: [...ALGORITHMS] });
    return { state: 'HOLDS', header };
  } catch {
    return { state: 'BROKEN', header };
  }
}

/** A claim as text for the report. */
export function claimText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'left out');
}

export function headerOf(reading: Reading): Header {
  return 'header' in reading ? reading.header : {};
}

function malformed(why: string): Reading {
  return { state: 'MALFORMED', why };
}

function readHeader(head: string): Header | null {
  try {
    const header: unknown = JSON.parse(Buffer.from(head, 'base64url').toString('utf8'));
    return typeof header === 'object' && header !== null ? (header as Header) : null;
  } catch {
    return null;
  }
}

function headerProblem(header: Header): string | null {
  if (!ALGORITHMS.some((alg) => alg === header['alg'])) return 'alg is neither EdDSA nor ES256';
  if (header['b64'] !== false) return 'b64 is not false';
  if (JSON.stringify(header['crit']) !== '["b64"]') return 'crit is not ["b64"]';
  if (typeof header['kid'] !== 'string') return 'there is no kid';
  return null;
}
