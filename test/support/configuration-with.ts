import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';

const CONFIG_FOLDER = fileURLToPath(new URL('../../config', import.meta.url));

export interface TestConfiguration {
  readonly file: string;
  remove(): void;
}

type Sections = Record<string, unknown>;

/** The demonstration's configuration with other top-level sections: `sms`, `payment`, … */
export function configurationWith(
  sections: Sections | ((own: Sections) => Sections),
): TestConfiguration {
  const folder = mkdtempSync(join(tmpdir(), 'rinpath-configuration-'));
  const file = join(folder, 'sandbox.yaml');
  // The file refers to files beside it.
  cpSync(CONFIG_FOLDER, folder, { recursive: true });
  const own = parse(readFileSync(file, 'utf8')) as Sections;
  const changed = typeof sections === 'function' ? sections(own) : sections;
  writeFileSync(file, stringify({ ...own, ...changed }));
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
