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
} from '../signing/protocol-keys.js';
import type { LenderApiKey } from '../store/lender-api-key.entity.js';
import {
  LenderApiKeysRepository,
  PRIVATE_KEY_PURPOSE,
} from '../store/lender-api-keys.repository.js';

/** A change by command counts on every replica after that. */
const READ_AGAIN_MS = 10_000;
const FOREIGN = 'its private part is not the service’s: somebody put it there';

interface Published {
  readonly signing: SigningKey;
  readonly jwks: readonly PublicJwk[];
}

/**
 * The keys that the service signs with. The oldest one in use signs; another beside it is published
 * already, so that every lender knows it before it signs. One that is retired stays published until
 * nothing that it has signed is under way. The first is made when it is first needed.
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

  /** The key to sign with now. */
  async signing(): Promise<SigningKey> {
    return (await this.published()).signing;
  }

  /** What `/.well-known/rlp-jwks.json` answers. */
  async jwks(): Promise<{ keys: readonly PublicJwk[] }> {
    return { keys: (await this.published()).jwks };
  }

  /** Makes a key in a transaction that has locked the keys; its name. */
  async make(tx: Tx, algorithm: SigningAlgorithm): Promise<string> {
    const day = this.clock.now().toISOString().slice(0, 10).replaceAll('-', '');
    const kid = `rinpath-${day}-${this.random.bytes(4).toString('hex')}`;
    const pem = newPrivateKey(algorithm);
    const privateSealed = this.keyring.seal(pem, PRIVATE_KEY_PURPOSE);
    const publicJwk = publicJwkOf(signingKey(kid, pem));
    await this.keys.insert(tx, { kid, privateSealed, publicJwk });
    return kid;
  }

  /**
   * Why a key is not known to be one that the service made; null when it is: the private part, which nobody seals
   * without the master key, is that of the public one.
   */
  whyForeign(key: LenderApiKey): string | null {
    try {
      return isDeepStrictEqual(publicJwkOf(this.open(key)), key.publicJwk) ? null : FOREIGN;
    } catch (error) {
      // The name of a master key may have been left out of MASTER_KEY: that accuses nobody.
      return error instanceof Unreadable
        ? `its private part cannot be opened: ${error.message}`
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
    if (!made) throw new Error('The first key for lenders was made and is not there');
    return made;
  }

  /** Two replicas may find at once that there is none: the second one finds the first one's. */
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

/** Where lenders find the keys that check what the service has signed. */
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
