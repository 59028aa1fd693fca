import { Injectable, Logger } from '@nestjs/common';
import type { Lender, RemoteLender } from '../../settings/index.js';
import { LenderHttp } from '../client/lender-http.js';
import { type SignatureProblem, SignatureRefused } from '../signing/signature-refused.js';
import { type FindKey, type VerificationKey, verificationKey } from '../signing/protocol-keys.js';

type KeysByName = ReadonlyMap<string, VerificationKey>;

const FETCH_DEADLINE_MS = 4_000;
const MAX_JWKS_BYTES = 64 * 1024;
const MAX_KEYS = 20;
/** Each entry takes up to 20 µs to read, whatever it is. */
const MAX_LISTED = 1_000;
/** A key that the lender has taken back is not trusted for longer. */
const FRESH_MS = 10 * 60_000;
/** An address that does not answer leaves the keys that were known for so long. */
const STALE_MS = 24 * 60 * 60_000;
const FETCH_AT_MOST_EVERY_MS = 60_000;
/** The same when a signature does not hold: the lender may have changed the key and kept its name. */
const FETCH_AFTER_MISMATCH_MS = 10_000;
const OF_ANOTHER_KEY: ReadonlySet<SignatureProblem> = new Set([
  'DOES_NOT_MATCH',
  'WRONG_ALGORITHM',
]);

interface Fetched {
  readonly keys: KeysByName;
  readonly fetchedAt: number;
  triedAt: number;
  /** The address did not answer the last time. */
  hasFailed: boolean;
  fetching?: Promise<void>;
}

/** The keys of the lenders: pinned in the configuration, or at the address that it names. */
@Injectable()
export class LenderKeys {
  private readonly logger = new Logger(LenderKeys.name);
  private readonly pinned = new WeakMap<RemoteLender, KeysByName>();
  /** By the lender's code and address: what one lender publishes counts for no other. */
  private readonly fetched = new Map<string, Fetched>();

  constructor(private readonly http: LenderHttp) {}

  /** Finds the keys of one lender; of one that is not outside the process there are none. */
  of(lender: Lender): FindKey {
    const { remote } = lender;
    if (!remote) return () => Promise.resolve(null);
    const { keys } = remote;
    if (keys.kind === 'JWKS') return (kid) => this.find(lender, keys.address, kid);
    return (kid) => Promise.resolve(this.pinnedOf(remote, keys.keys).get(kid) ?? null);
  }

  /**
   * Checks a signature. Where it does not hold, the lender's list is read again, and if it has another key of this
   * name, that one decides.
   * @throws SignatureRefused
   */
  async check<Checked>(
    lender: Lender,
    verify: (findKey: FindKey) => Promise<Checked>,
  ): Promise<Checked> {
    let used: VerificationKey | null = null;
    const findKey: FindKey = async (kid) => (used = await this.of(lender)(kid));
    try {
      return await verify(findKey);
    } catch (error) {
      const mayBeChanged = error instanceof SignatureRefused && OF_ANOTHER_KEY.has(error.problem);
      const changed = mayBeChanged && used ? await this.changedKey(lender, used) : null;
      if (!changed) throw error;
      return verify(() => Promise.resolve(changed));
    }
  }

  /** The keys last fetched from the lender's list; null when its keys are pinned. */
  lastFetched(lender: Lender): readonly VerificationKey[] | null {
    const keys = lender.remote?.keys;
    if (keys?.kind !== 'JWKS') return null;
    return [...(this.fetched.get(placeOf(lender, keys.address))?.keys.values() ?? [])];
  }

  private async changedKey(
    lender: Lender,
    { kid, publicKey }: VerificationKey,
  ): Promise<VerificationKey | null> {
    const keys = lender.remote?.keys;
    if (keys?.kind !== 'JWKS') return null;
    const place = placeOf(lender, keys.address);
    const now = performance.now();
    await this.fetchInTurn(lender, keys.address, place, now, FETCH_AFTER_MISMATCH_MS);
    const current = this.fetched.get(place)?.keys.get(kid);
    if (!current || current.publicKey.equals(publicKey)) return null;
    this.logger.warn({ lender: lender.code, kid }, 'The lender has changed a key and kept its kid');
    return current;
  }

  private pinnedOf(remote: RemoteLender, keys: readonly unknown[]): KeysByName {
    const known = this.pinned.get(remote);
    if (known) return known;
    const read = readable(keys);
    this.pinned.set(remote, read);
    return read;
  }

  private async find(
    lender: Lender,
    address: string,
    kid: string,
  ): Promise<VerificationKey | null> {
    const place = placeOf(lender, address);
    const known = this.fetched.get(place);
    const now = performance.now();
    const isFresh = known !== undefined && now - known.fetchedAt < FRESH_MS;
    const isFetchDue = !isFresh || !known.keys.has(kid);
    const fetching = isFetchDue ? this.fetchInTurn(lender, address, place, now) : undefined;
    // An address that hangs does not hold up what is signed with keys that are known.
    if (!known?.hasFailed || !known.keys.has(kid)) await fetching;
    const current = this.fetched.get(place);
    const isUsable = current !== undefined && now - current.fetchedAt < STALE_MS;
    return (isUsable && current.keys.get(kid)) || null;
  }

  /** At most once in `everyMs`: forged messages cannot make the service call the lender more often. */
  private async fetchInTurn(
    lender: Lender,
    address: string,
    place: string,
    now: number,
    everyMs = FETCH_AT_MOST_EVERY_MS,
  ): Promise<void> {
    const known = this.fetched.get(place) ?? nothingFetched();
    this.fetched.set(place, known);
    if (known.fetching) return known.fetching;
    if (now - known.triedAt < everyMs) return;
    known.triedAt = now;
    known.fetching = this.fetch(lender, address)
      .then((keys) => {
        this.fetched.set(place, { keys, fetchedAt: now, triedAt: now, hasFailed: false });
      })
      .catch((error: unknown) => {
        known.hasFailed = true;
        this.logger.warn({ err: error, lender: lender.code }, 'The keys could not be fetched');
      })
      .finally(() => {
        known.fetching = undefined;
      });
    return known.fetching;
  }

  private async fetch(lender: Lender, address: string): Promise<KeysByName> {
    const answer = await this.http.clientOf(lender).get(address, {
      headers: { accept: 'application/json', 'accept-encoding': 'identity' },
      deadlineMs: FETCH_DEADLINE_MS,
      maxResponseBytes: MAX_JWKS_BYTES + 1,
    });
    if (answer.status !== 200) throw new Error(`the key list answers ${answer.status}`);
    if (answer.body.length > MAX_JWKS_BYTES) throw new Error('the key list is too long');
    const read = readable(keysIn(answer.excerpt));
    if (read.size === 0) throw new Error('the key list has no key of the protocol');
    return read;
  }
}

function placeOf({ code }: Lender, address: string): string {
  return `${code} ${address}`;
}

/** @throws Error with nothing in it of the text, which is logged */
function keysIn(text: string): unknown[] {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw new Error('the key list is not JSON');
  }
  const { keys } = (list ?? {}) as { keys?: unknown };
  if (!Array.isArray(keys)) throw new Error('the key list has no keys');
  if (keys.length > MAX_LISTED) throw new Error('the key list has too many keys');
  return keys;
}

/** Those that check signatures of the protocol: a list may hold others, too. A name that two keys have is nobody's. */
function readable(list: readonly unknown[]): KeysByName {
  const keys = list.map(keyOrNull).filter((key) => key !== null);
  const once = keys.filter(({ kid }) => keys.filter((other) => other.kid === kid).length === 1);
  return new Map(once.slice(0, MAX_KEYS).map((key) => [key.kid, key]));
}

/** Null for one that is for something else. */
function keyOrNull(jwk: unknown): VerificationKey | null {
  try {
    return verificationKey(jwk);
  } catch {
    return null;
  }
}

function nothingFetched(): Fetched {
  return {
    keys: new Map(),
    fetchedAt: Number.NEGATIVE_INFINITY,
    triedAt: Number.NEGATIVE_INFINITY,
    hasFailed: false,
  };
}
