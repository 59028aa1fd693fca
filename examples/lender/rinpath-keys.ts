import { readFileSync } from 'node:fs';
import { createLocalJWKSet, createRemoteJWKSet } from 'jose';
import type { FlattenedVerifyGetKey, JSONWebKeySet } from 'jose';

const FETCH_TIMEOUT_MS = 5_000;
/** An unknown `kid` fetches the keys again, but not more often, since a caller can invent any number. */
const COOLDOWN_MS = 5_000;

/** Rinpath's public keys, from its JWKS address or from a file with pinned keys. */
export function rinpathKeys(source: string): FlattenedVerifyGetKey {
  if (!/^https?:/.test(source)) {
    return createLocalJWKSet(JSON.parse(readFileSync(source, 'utf8')) as JSONWebKeySet);
  }
  return createRemoteJWKSet(new URL(source), {
    timeoutDuration: FETCH_TIMEOUT_MS,
    cooldownDuration: COOLDOWN_MS,
  });
}
