import { Injectable, Logger } from '@nestjs/common';
import type { Lender, RemoteLender } from '../../settings/index.js';
import { LenderHttp } from '../client/lender-http.js';
import { type SignatureProblem, SignatureRefused } from '../signing/message-signatures.js';
import { type FindKey, type VerificationKey, verificationKey } from '../protocol-keys.js';

type KeysByName = ReadonlyMap<string, VerificationKey>;

const FETCH_DEADLINE_MS = 4_000;
const MAX_JWKS_BYTES = 64 * 1024;
const MAX_KEYS = 20;
/** Each entry takes up to 20 µs to read. */
const MAX_LISTED = 1_000;
/** A removed key is trusted no longer than this. */
const FRESH_MS = 10 * 60_000;
/** How long keys outlive an unreachable address. */
const STALE_MS = 24 * 60 * 60_000;
const FETCH_AT_MOST_EVERY_MS = 60_000;
const FETCH_AFTER_MISMATCH_MS = 10_000;
const OF_ANOTHER_KEY: ReadonlySet<SignatureProblem> = new Set([
  'DOES_NOT_MATCH',
  'WRONG_ALGORITHM',
]);

interface KeyList {
  readonly address: string;
  keys: KeysByName;
  fetchedAt: number;
  triedAt: number;
  hasFailed: boolean;
  fetching?: Promise<void>;
}

@Injectable()
export class LenderKeys {
  private readonly logger = new Logger(LenderKeys.name);
  private readonly pinned = new WeakMap<RemoteLender, KeysByName>();
  /** A lender's keys are valid for no other lender or address. */
  private readonly lists = new Map<string, KeyList>();

  constructor(private readonly http: LenderHttp) {}

  of(lender: Lender): FindKey {
    const { remote } = lender;
    if (!remote) return () => Promise.resolve(null);
    const list = this.listOf(lender);
    if (list) return (kid) => this.find(lender, list, kid);
    return (kid) => Promise.resolve(this.pinnedOf(remote).get(kid) ?? null);
  }

  /**
   * After a mismatch the list is read again: a lender may change a key and keep its kid.
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

  /** Null when the keys are pinned. */
  lastFetched(lender: Lender): readonly VerificationKey[] | null {
    const list = this.listOf(lender);
    return list && [...list.keys.values()];
  }

  private async changedKey(
    lender: Lender,
    { kid, publicKey }: VerificationKey,
  ): Promise<VerificationKey | null> {
    const list = this.listOf(lender);
    if (!list) return null;
    await this.refresh(lender, list, FETCH_AFTER_MISMATCH_MS);
    const current = list.keys.get(kid);
    if (!current || current.publicKey.equals(publicKey)) return null;
    this.logger.warn(
      { lender: lender.code, kid },
      'The lender changed a key without changing its kid; ask it to use a new kid',
    );
    return current;
  }

  private listOf({ code, remote }: Lender): KeyList | null {
    if (remote?.keys.kind !== 'JWKS') return null;
    const { address } = remote.keys;
    const place = `${code} ${address}`;
    const list = this.lists.get(place) ?? {
      address,
      keys: new Map(),
      fetchedAt: Number.NEGATIVE_INFINITY,
      triedAt: Number.NEGATIVE_INFINITY,
      hasFailed: false,
    };
    this.lists.set(place, list);
    return list;
  }

  private pinnedOf(remote: RemoteLender): KeysByName {
    const known = this.pinned.get(remote);
    if (known) return known;
    const read = readable(remote.keys.kind === 'PINNED' ? remote.keys.keys : []);
    this.pinned.set(remote, read);
    return read;
  }

  private async find(lender: Lender, list: KeyList, kid: string): Promise<VerificationKey | null> {
    const now = performance.now();
    const isKnown = list.keys.has(kid);
    if (!isKnown || now - list.fetchedAt >= FRESH_MS) {
      const fetching = this.refresh(lender, list, FETCH_AT_MOST_EVERY_MS);
      // A hanging list does not delay messages signed with known keys.
      if (!isKnown || !list.hasFailed) await fetching;
    }
    return (now - list.fetchedAt < STALE_MS && list.keys.get(kid)) || null;
  }

  /** Forged messages must not flood the lender. */
  private async refresh(lender: Lender, list: KeyList, everyMs: number): Promise<void> {
    const now = performance.now();
    if (list.fetching) return list.fetching;
    if (now - list.triedAt < everyMs) return;
    list.triedAt = now;
    list.fetching = this.fetch(lender, list.address)
      .then((keys) => void Object.assign(list, { keys, fetchedAt: now, hasFailed: false }))
      .catch((error: unknown) => {
        list.hasFailed = true;
        this.logger.warn(
          { err: error, lender: lender.code },
          'The lender’s keys could not be fetched; the known keys stay in use',
        );
      })
      .finally(() => {
        list.fetching = undefined;
      });
    return list.fetching;
  }

  private async fetch(lender: Lender, address: string): Promise<KeysByName> {
    const answer = await this.http.clientOf(lender).get(address, {
      headers: { accept: 'application/json', 'accept-encoding': 'identity' },
      deadlineMs: FETCH_DEADLINE_MS,
      maxResponseBytes: MAX_JWKS_BYTES + 1,
    });
    if (answer.status !== 200) throw new Error(`the key list’s address answered ${answer.status}`);
    if (answer.body.length > MAX_JWKS_BYTES) throw new Error('the key list is too long');
    const read = readable(keysIn(answer.excerpt));
    if (read.size === 0) throw new Error('the key list has no key that the protocol supports');
    return read;
  }
}

/** @throws Error without the list's text, as it is logged */
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

/** Ignores keys for other uses, and a kid that two keys share. */
function readable(list: readonly unknown[]): KeysByName {
  const keys = list.map(keyOrNull).filter((key) => key !== null);
  const once = keys.filter(({ kid }) => keys.filter((other) => other.kid === kid).length === 1);
  return new Map(once.slice(0, MAX_KEYS).map((key) => [key.kid, key]));
}

function keyOrNull(jwk: unknown): VerificationKey | null {
  try {
    return verificationKey(jwk);
  } catch {
    return null;
  }
}
