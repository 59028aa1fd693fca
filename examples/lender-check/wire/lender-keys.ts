import { readFileSync } from 'node:fs';
import { importJWK } from 'jose';
import type { CryptoKey, JWK } from 'jose';

const TIMEOUT_MS = 10_000;
/** An unknown kid fetches the keys again, but not for every answer. */
const COOLDOWN_MS = 2_000;

/** The lender's public keys, from its JWKS address or from a file. */
export class LenderKeys {
  readonly #source: string;
  #jwks: readonly JWK[] = [];
  readonly #imported = new Map<string, Promise<CryptoKey | null>>();
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(source: string) {
    this.#source = source;
  }

  /** @throws Error without a JWKS at the address */
  async read(): Promise<readonly JWK[]> {
    const text = /^https?:/.test(this.#source)
      ? await fetchText(this.#source)
      : readFileSync(this.#source, 'utf8');
    const { keys } = JSON.parse(text) as { keys?: readonly JWK[] };
    if (!Array.isArray(keys)) throw new Error('The JWKS has no "keys".');
    this.#jwks = keys;
    this.#imported.clear();
    this.#readAt = performance.now();
    return keys;
  }

  readonly find = async (kid: string): Promise<CryptoKey | null> => {
    const known = this.#jwks.some((jwk) => jwk.kid === kid);
    if (!known && performance.now() - this.#readAt > COOLDOWN_MS) {
      await this.read().catch(() => undefined);
    }
    const jwk = this.#jwks.find((one) => one.kid === kid);
    if (!jwk) return null;
    const key = this.#imported.get(kid) ?? importPublic(jwk);
    this.#imported.set(kid, key);
    return key;
  };
}

function importPublic(jwk: JWK): Promise<CryptoKey | null> {
  const alg = jwk.alg ?? (jwk.crv === 'Ed25519' ? 'EdDSA' : 'ES256');
  // Another case reports a published private key.
  const { d: _private, ...publicJwk } = jwk;
  return importJWK(publicJwk, alg).then(
    (key) => key as CryptoKey,
    () => null,
  );
}

async function fetchText(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`The JWKS address answered ${response.status}.`);
  return response.text();
}
