import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

export interface KeyCredentials {
  apiKey: string;
  apiSecret: string;
}

interface ConfigurationFile {
  partners: { id: string; keys: ({ name: string } & KeyCredentials)[] }[];
}

const FILE = fileURLToPath(new URL('../../config/sandbox.yaml', import.meta.url));

let file: ConfigurationFile | undefined;

/** A public key of a sandbox partner; the partner's first one by default. */
export function sandboxCredentials(partnerId: string, keyName?: string): KeyCredentials {
  file ??= parse(readFileSync(FILE, 'utf8')) as ConfigurationFile;
  const partner = file.partners.find(({ id }) => id === partnerId);
  const key = partner?.keys.find(({ name }) => keyName === undefined || name === keyName);
  if (!key) throw new Error(`config/sandbox.yaml has no key ${partnerId}/${keyName ?? '(any)'}`);
  return { apiKey: key.apiKey, apiSecret: key.apiSecret };
}
