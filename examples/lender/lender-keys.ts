import { exportJWK, generateKeyPair, importJWK } from 'jose';
import type { CryptoKey, JWK } from 'jose';
import type { Database } from './database.ts';
import type { SigningKey } from './detached-jws.ts';
import type { LenderTerms } from './lender-terms.ts';
import type { World } from './world.ts';

/** A replaced key stays published for answers that were already sent. */
const PUBLISHED_KEYS = 2;

interface KeyRow {
  kid: string;
  private_jwk: string;
}

/** The lenders' signing keys. This example stores them in its database; keep yours in an HSM. */
export class LenderKeys {
  readonly #database: Database;
  readonly #world: World;
  readonly #current = new Map<string, SigningKey>();

  constructor(database: Database, world: World) {
    this.#database = database;
    this.#world = world;
  }

  /** Makes the first key of a lender without one. */
  async prepare(lender: LenderTerms): Promise<void> {
    const newest = this.#rows(lender.code)[0];
    if (!newest) await this.change(lender);
    else this.#current.set(lender.code, await readKey(JSON.parse(newest.private_jwk) as JWK));
  }

  /** Makes a new key to sign with; the one before stays published. */
  async change(lender: LenderTerms): Promise<string> {
    const alg = lender.signsWith;
    const crv = alg === 'EdDSA' ? { crv: 'Ed25519' } : {};
    const pair = await generateKeyPair(alg, { ...crv, extractable: true });
    const kid = this.#world.newId(`${lender.code}-key`);
    const jwk: JWK = { ...(await exportJWK(pair.privateKey)), kid, alg, use: 'sig' };
    this.#database.run('INSERT INTO keys (lender, kid, private_jwk, made_at) VALUES (?, ?, ?, ?)', [
      lender.code,
      kid,
      JSON.stringify(jwk),
      this.#world.now().toISOString(),
    ]);
    this.#current.set(lender.code, await readKey(jwk));
    return kid;
  }

  current(lender: string): SigningKey {
    const key = this.#current.get(lender);
    if (!key) throw new Error(`The lender ${lender} has no key.`);
    return key;
  }

  /** The public keys for the lender's JWKS address. */
  jwks(lender: string): { keys: JWK[] } {
    return {
      keys: this.#rows(lender).map((row) => publicHalf(JSON.parse(row.private_jwk) as JWK)),
    };
  }

  /** Newest first. */
  #rows(lender: string): KeyRow[] {
    return this.#database.all<KeyRow>(
      'SELECT kid, private_jwk FROM keys WHERE lender = ? ORDER BY rowid DESC LIMIT ?',
      [lender, PUBLISHED_KEYS],
    );
  }
}

function publicHalf({ kty, crv, x, y, kid, alg, use }: JWK): JWK {
  const point = y === undefined ? { x } : { x, y };
  return { kty, crv, ...point, kid, alg, use };
}

async function readKey(jwk: JWK): Promise<SigningKey> {
  const privateKey = (await importJWK(jwk)) as CryptoKey;
  return { kid: jwk.kid ?? '', alg: jwk.alg as SigningKey['alg'], privateKey };
}
