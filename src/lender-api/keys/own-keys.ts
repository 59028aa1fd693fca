import { generateKeyPairSync } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Controller, Get, Header, Injectable } from '@nestjs/common';
import {
  Clock,
  Database,
  Keyring,
  RandomSource,
  type Tx,
  Unreadable,
} from '../../platform/index.js';
import { PROTOCOL } from '../protocol/transport.js';
import {
  type PublicJwk,
  publicJwkOf,
  type SigningAlgorithm,
  type SigningKey,
  signingKey,
} from '../protocol-keys.js';
import type { LenderApiKey } from '../store/lender-api.entity.js';
import {
  LenderApiKeysRepository,
  PRIVATE_KEY_PURPOSE,
} from '../store/lender-api-keys.repository.js';

/** The delay until a key change reaches every replica. */
const READ_AGAIN_MS = 10_000;
const FOREIGN = 'its private part was not made by this service: the row was inserted from outside';

interface Published {
  readonly signing: SigningKey;
  readonly jwks: readonly PublicJwk[];
}

/**
 * The oldest key in use signs; a second is published before it signs. A retired key stays published until its messages
 * have arrived.
 */
@Injectable()
export class OwnKeys {
  private current?: { readonly keys: Published; readonly readAt: number };
  private reading?: Promise<Published>;

  constructor(
    private readonly database: Database,
    private readonly keys: LenderApiKeysRepository,
    private readonly keyring: Keyring,
    private readonly random: RandomSource,
    private readonly clock: Clock,
  ) {}

  async signing(): Promise<SigningKey> {
    return (await this.published()).signing;
  }

  async jwks(): Promise<{ keys: readonly PublicJwk[] }> {
    return { keys: (await this.published()).jwks };
  }

  /** Call it with the keys locked. */
  async make(tx: Tx, algorithm: SigningAlgorithm): Promise<string> {
    const day = this.clock.now().toISOString().slice(0, 10).replaceAll('-', '');
    const kid = `rinpath-${day}-${this.random.bytes(4).toString('hex')}`;
    const pem = newPrivateKey(algorithm);
    const privateSealed = this.keyring.seal(pem, PRIVATE_KEY_PURPOSE);
    const publicJwk = publicJwkOf(signingKey(kid, pem));
    await this.keys.insert(tx, { kid, privateSealed, publicJwk });
    return kid;
  }

  /** Null when the sealed private part opens and matches the public part. */
  whyForeign(key: LenderApiKey): string | null {
    try {
      return isDeepStrictEqual(publicJwkOf(this.open(key)), key.publicJwk) ? null : FOREIGN;
    } catch (error) {
      // MASTER_KEY may lack an old name, which proves nothing.
      return error instanceof Unreadable
        ? `its private part cannot be decrypted: ${error.message}`
        : FOREIGN;
    }
  }

  private async published(): Promise<Published> {
    const now = performance.now();
    if (this.current && now - this.current.readAt < READ_AGAIN_MS) return this.current.keys;
    this.reading ??= this.read()
      .then((keys) => {
        this.current = { keys, readAt: now };
        return keys;
      })
      .finally(() => {
        this.reading = undefined;
      });
    return this.reading;
  }

  private async read(): Promise<Published> {
    const known = this.publishedIn(await this.keys.readPublished());
    if (known) return known;
    await this.makeFirst();
    const made = this.publishedIn(await this.keys.readPublished());
    if (!made) throw new Error('The first key for lenders was created but cannot be found');
    return made;
  }

  /** Another replica may have created it. */
  private async makeFirst(): Promise<void> {
    await this.database.transaction(async (tx) => {
      const inUse = await this.keys.lockInUse(tx);
      if (inUse.length === 0) await this.make(tx, 'EdDSA');
    });
  }

  private publishedIn(rows: readonly LenderApiKey[]): Published | null {
    const signing = rows.find(({ retiredAt }) => retiredAt === null);
    if (!signing) return null;
    return { signing: this.open(signing), jwks: rows.map(({ publicJwk }) => publicJwk) };
  }

  private open({ kid, privateSealed }: LenderApiKey): SigningKey {
    return signingKey(kid, this.keyring.open(privateSealed, PRIVATE_KEY_PURPOSE));
  }
}

@Controller()
export class OwnKeysController {
  constructor(private readonly keys: OwnKeys) {}

  @Get(PROTOCOL.keysPath)
  @Header('Cache-Control', 'public, max-age=60')
  jwks(): Promise<{ keys: readonly PublicJwk[] }> {
    return this.keys.jwks();
  }
}

function newPrivateKey(algorithm: SigningAlgorithm): string {
  const { privateKey } =
    algorithm === 'EdDSA'
      ? generateKeyPairSync('ed25519')
      : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
}
