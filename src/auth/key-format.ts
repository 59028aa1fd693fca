import { crc32 } from 'node:zlib';
import type { RandomSource } from '../platform/index.js';

export type KeyMode = 'test' | 'live';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARACTERS = 30;
const CHECKSUM_CHARACTERS = 6;
// The modulo bias of 256 bits over 30 characters is negligible.
const RANDOM_BYTES = 32;
const SHOWN_CHARACTERS = 4;
const KEY_FORM = /^([a-z][a-z0-9-]*)_(test|live)_[0-9A-Za-z]{36}$/;
const SECRET_FORM = /^([a-z][a-z0-9-]*)_secret_(test|live)_[A-Za-z0-9_-]{43}$/;

/**
 * `<slug>_<test|live>_`, 30 random base62 characters, and their CRC-32 in 6. The checksum refuses a mistyped key
 * without a look-up. It also lets secret scanners recognise a leaked key.
 */
export function makeApiKey(slug: string, mode: KeyMode, random: RandomSource): string {
  const number = BigInt(`0x${random.bytes(RANDOM_BYTES).toString('hex')}`);
  const body = `${slug}_${mode}_${base62(number, RANDOM_CHARACTERS)}`;
  return body + checksumOf(body);
}

/** `<slug>_secret_<test|live>_` and 256 random bits in base64url. */
export function makeApiSecret(slug: string, mode: KeyMode, random: RandomSource): string {
  return `${slug}_secret_${mode}_${random.bytes(RANDOM_BYTES).toString('base64url')}`;
}

/** Null when form or checksum is wrong. */
export function readApiKey(text: string): { slug: string; mode: KeyMode } | null {
  const body = text.slice(0, -CHECKSUM_CHARACTERS);
  if (checksumOf(body) !== text.slice(-CHECKSUM_CHARACTERS)) return null;
  return prefixOf(KEY_FORM.exec(text));
}

export function readApiSecret(text: string): { slug: string; mode: KeyMode } | null {
  return prefixOf(SECRET_FORM.exec(text));
}

export function hintOf(key: string): string {
  const prefix = key.slice(0, key.lastIndexOf('_') + 1);
  return `${prefix}…${key.slice(-SHOWN_CHARACTERS)}`;
}

function prefixOf(match: RegExpExecArray | null): { slug: string; mode: KeyMode } | null {
  if (!match) return null;
  const [, slug, mode] = match;
  return { slug, mode: mode === 'live' ? 'live' : 'test' };
}

function checksumOf(body: string): string {
  return base62(BigInt(crc32(body)), CHECKSUM_CHARACTERS);
}

function base62(number: bigint, length: number): string {
  let text = '';
  for (let rest = number; text.length < length; rest /= 62n) {
    text = BASE62[Number(rest % 62n)] + text;
  }
  return text;
}
