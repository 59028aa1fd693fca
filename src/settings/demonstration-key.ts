import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export interface DemonstrationKey {
  readonly apiKey: string;
  readonly apiSecret: string;
}

interface FileWithKeys {
  partners?: { keys?: ({ name?: string } & Partial<DemonstrationKey>)[] }[];
}

/**
 * The file's key named `demo`; undefined without one, or when its secret comes from the
 * environment.
 */
export function demonstrationKey(file: string): DemonstrationKey | undefined {
  const { partners } = parse(readFileSync(file, 'utf8')) as FileWithKeys;
  const key = partners?.flatMap(({ keys }) => keys ?? []).find(({ name }) => name === 'demo');
  const { apiKey, apiSecret } = key ?? {};
  const isOpen = [apiKey, apiSecret].every(
    (text) => typeof text === 'string' && !text.includes('${'),
  );
  return isOpen ? { apiKey: apiKey!, apiSecret: apiSecret! } : undefined;
}
