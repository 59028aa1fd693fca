import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { MasterKey } from './master-key.js';

export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

export function nullWhenUnreadable(error: unknown): null {
  if (error instanceof Unreadable) return null;
  throw error;
}

interface Subkeys {
  readonly name: string;
  readonly sealing: KeyObject;
  readonly lookup: KeyObject;
  readonly links: KeyObject;
  readonly tokens: KeyObject;
}

const IV_BYTES = 12;
const TAG_BYTES = 16;
const LINK_MAC_BYTES = 24;
const SEALED_FORM = /^v1:([a-z0-9][a-z0-9-]{0,31}):([A-Za-z0-9_-]+)$/;
const LOG_EVERY_MS = 60_000;

/**
 * Seals data (AES-256-GCM), hashes it for look-ups and signs links. Each use has its own key,
 * derived with HKDF-SHA-256 (RFC 5869).
 */
export class Keyring {
  private readonly logger = new Logger(Keyring.name);
  private readonly keys: readonly Subkeys[];
  private loggedAt = Number.NEGATIVE_INFINITY;

  constructor(masterKeys: readonly MasterKey[]) {
    if (masterKeys.length === 0) throw new Error('a keyring needs a master key');
    this.keys = masterKeys.map(({ name, bytes }) => ({
      name,
      sealing: derive(bytes, 'sealing'),
      lookup: derive(bytes, 'lookup'),
      links: derive(bytes, 'links'),
      tokens: derive(bytes, 'tokens'),
    }));
  }

  /**
   * @param purpose the column (`journeys.applicant`); a value copied to another column cannot be
   * opened
   * @returns `v1:<key name>:<base64url of iv, tag and ciphertext>`
   */
  seal(plain: string | Buffer, purpose: string): string {
    const key = this.keys[0];
    const packed = encrypt(key.sealing, randomBytes(IV_BYTES), Buffer.from(plain), purpose);
    return `v1:${key.name}:${packed.toString('base64url')}`;
  }

  /** @throws Unreadable when the key is missing, the purpose differs or the text was altered */
  open(sealed: string, purpose: string): string {
    return this.openBytes(sealed, purpose).toString('utf8');
  }

  openOrNull(sealed: string, purpose: string): string | null {
    try {
      return this.open(sealed, purpose);
    } catch (error) {
      return nullWhenUnreadable(error);
    }
  }

  openBytes(sealed: string, purpose: string): Buffer {
    const [, name, packed] = SEALED_FORM.exec(sealed) ?? [];
    if (!name || !packed) throw new Unreadable('not a sealed value');
    const key = this.keys.find((candidate) => candidate.name === name);
    if (!key) throw this.missingKey(name);
    try {
      return decrypt(key.sealing, Buffer.from(packed, 'base64url'), purpose);
    } catch (error) {
      throw new Unreadable('the sealed value was altered, or belongs to another column', {
        cause: error,
      });
    }
  }

  /** Deterministic, in base64url; for short values that the caller stores. */
  sealToken(plain: Buffer, purpose: string): string {
    const key = this.keys[0];
    const seed = keyedHash(key.lookup, plain.toString('base64url'), `${purpose}.iv`);
    const iv = Buffer.from(seed, 'hex').subarray(0, IV_BYTES);
    return encrypt(key.tokens, iv, plain, purpose).toString('base64url');
  }

  /** Null for a token that was not issued here for this purpose. */
  openToken(token: string, purpose: string): Buffer | null {
    const packed = Buffer.from(token, 'base64url');
    for (const { tokens } of this.keys) {
      try {
        return decrypt(tokens, packed, purpose);
      } catch {
        // Sealed under another key, or forged.
      }
    }
    return null;
  }

  /** Returns hex. */
  lookupHash(value: string, purpose: string): string {
    return keyedHash(this.keys[0].lookup, value, purpose);
  }

  /** One hash per key; a search must compare with all. */
  lookupHashes(value: string, purpose: string): string[] {
    return this.keys.map((key) => keyedHash(key.lookup, value, purpose));
  }

  /** `<id>.<mac>`; nothing is stored. */
  signLink(id: string, purpose: string): string {
    return `${id}.${linkMac(this.keys[0].links, id, purpose)}`;
  }

  /**
   * In the same order on every replica. During a key rotation only the count under a shared key is
   * complete.
   */
  countingHashes(value: string, purpose: string): string[] {
    return this.lookupHashes(value, purpose).toSorted((left, right) => (left < right ? -1 : 1));
  }

  /** Null for a token that was not issued here for this purpose. */
  readLink(token: string, purpose: string): string | null {
    const dot = token.lastIndexOf('.');
    if (dot < 1) return null;
    const id = token.slice(0, dot);
    const given = Buffer.from(token.slice(dot + 1));
    const known = this.keys.some((key) =>
      equalBytes(Buffer.from(linkMac(key.links, id, purpose)), given),
    );
    return known ? id : null;
  }

  /** Logs at most once a minute: many calls may fail on one key. */
  private missingKey(name: string): Unreadable {
    const now = performance.now();
    if (now - this.loggedAt >= LOG_EVERY_MS) {
      this.loggedAt = now;
      this.logger.error(
        `MASTER_KEY of this process lacks the key ${name}, which another replica seals with. ` +
          'Restart this process with all keys: docs/operators/master-key.md',
      );
    }
    return new Unreadable(`sealed under an unknown key: ${name}`);
  }
}

/** Raw bytes would be imported at each use, which costs more than sealing. */
function derive(bytes: Buffer, use: string): KeyObject {
  const derived = hkdfSync('sha256', bytes, Buffer.alloc(0), `rinpath/${use}`, 32);
  return createSecretKey(Buffer.from(derived));
}

function encrypt(key: KeyObject, iv: Buffer, plain: Buffer, purpose: string): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(Buffer.from(purpose));
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

function decrypt(key: KeyObject, packed: Buffer, purpose: string): Buffer {
  const iv = packed.subarray(0, IV_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(purpose));
  decipher.setAuthTag(packed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const body = packed.subarray(IV_BYTES + TAG_BYTES);
  return Buffer.concat([decipher.update(body), decipher.final()]);
}

function keyedHash(key: KeyObject, value: string, purpose: string): string {
  return createHmac('sha256', key).update(`${purpose}\n${value}`).digest('hex');
}

function linkMac(key: KeyObject, id: string, purpose: string): string {
  const mac = createHmac('sha256', key).update(`${purpose}\n${id}`).digest();
  return mac.subarray(0, LINK_MAC_BYTES).toString('base64url');
}

export interface SealedSample {
  readonly name: string;
  readonly sealed: string;
  readonly purpose: string;
}

/** Returns one sample per key name. The database may lack the table of check values. */
export type SealedSamples = (dataSource: DataSource) => Promise<SealedSample[]>;

export function sealedSamples(
  table: string,
  column: string,
  purpose: string,
  condition = `${column} IS NOT NULL`,
): SealedSamples {
  const sql = `
    SELECT DISTINCT ON (split_part(${column}, ':', 2)) split_part(${column}, ':', 2) AS name,
      ${column} AS sealed, $1 AS purpose
    FROM ${table} WHERE ${condition}`;
  return (dataSource) => dataSource.query(sql, [purpose]);
}

/** In hex. A random 256-bit token needs no salt. */
export function sha256(value: string | Buffer): string {
  // `createHash` would hold memory outside the heap until collected.
  return hash('sha256', value, 'hex');
}

export function equalBytes(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}
