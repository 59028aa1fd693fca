export interface MasterKey {
  readonly name: string;
  readonly bytes: Buffer;
}

const KEY_FORM = /^([a-z0-9][a-z0-9-]{0,31}):([A-Za-z0-9+/]{43}=)$/;
/** 32 random bytes have about 30 different values. */
const MIN_DIFFERENT = 16;

/**
 * Reads `name:base64` pairs separated by commas. The first seals; all open, so that keys rotate
 * without downtime.
 */
export function parseMasterKeys(text: string): readonly MasterKey[] {
  const keys = text.split(',').map((pair) => {
    const match = KEY_FORM.exec(pair.trim());
    if (!match) throw new Error('must be name:base64 of 32 bytes, several separated by commas');
    return { name: match[1], bytes: Buffer.from(match[2], 'base64') };
  });
  for (const [index, key] of keys.entries()) {
    if (isGuessable(key.bytes)) {
      throw new Error(
        `has a key ${key.name} that is not random: generate one with openssl rand -base64 32`,
      );
    }
    for (const earlier of keys.slice(0, index)) {
      if (earlier.name === key.name) throw new Error(`names the key ${key.name} twice`);
      if (earlier.bytes.equals(key.bytes)) {
        throw new Error(`has the same key under two names, ${earlier.name} and ${key.name}`);
      }
    }
  }
  return keys;
}

function isGuessable(bytes: Buffer): boolean {
  const steps = bytes.map((byte, index) => byte - (bytes[index - 1] ?? 0));
  // `echo` ends a line with 0x0a.
  const isTyped = /^[\x20-\x7e]+\s*$/.test(bytes.toString('latin1'));
  return isTyped || [bytes, steps].some((values) => new Set(values).size < MIN_DIFFERENT);
}
