import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FILE = fileURLToPath(new URL('../../config/sandbox.yaml', import.meta.url));

/** The text of config/sandbox.yaml, fit to be written anywhere: its logo is named by its full path. */
export function shippedConfiguration(): string {
  const text = readFileSync(FILE, 'utf8');
  return text.replace(/^( {2}logo: )(\S+)$/m, (_, key: string, name: string) =>
    [key, join(dirname(FILE), name)].join(''),
  );
}
