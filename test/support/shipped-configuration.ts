import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(new URL('../../config/sandbox.yaml', import.meta.url));

/** The text of config/sandbox.yaml, for any folder: its logos have absolute paths. */
export function shippedConfiguration(): string {
  const text = readFileSync(FILE, 'utf8');
  return text.replace(/^( +logo: )(\S+)$/gm, (_, key: string, name: string) =>
    [key, join(dirname(FILE), name)].join(''),
  );
}
