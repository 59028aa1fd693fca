/** A named key under which secrets and personal data are kept. */
export interface MasterKey {
  readonly name: string;
  readonly bytes: Buffer;
}

const KEY_FORM = /^([a-z0-9][a-z0-9-]{0,31}):([A-Za-z0-9+/]{43}=)$/;

/**
 * Reads `name:base64` pairs parted by commas. The first key seals what is new; the others still
 * open what was sealed under them, so that a key can be rotated without a stop.
 * @throws Error when a pair is malformed, a key is not 32 bytes, or a name stands twice
 */
export function parseMasterKeys(text: string): readonly MasterKey[] {
  const keys = text.split(',').map((pair) => {
    const match = KEY_FORM.exec(pair.trim());
    if (!match) throw new Error('malformed master key');
    return { name: match[1], bytes: Buffer.from(match[2], 'base64') };
  });
  if (new Set(keys.map((key) => key.name)).size !== keys.length) {
    throw new Error('a master key name stands twice');
  }
  return keys;
}
