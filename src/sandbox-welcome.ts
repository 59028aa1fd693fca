import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { parse } from 'yaml';
import type { Environment } from './platform/index.js';

interface FileWithKeys {
  partners?: { keys?: { name?: string; apiKey?: string }[] }[];
}

/** What a person who has just started the service wants to know. */
export function sandboxWelcome(environment: Environment): string {
  const lines = [`Rinpath is ready at ${environment.baseUrl} (${environment.mode})`];
  if (environment.mode === 'sandbox' && environment.isLoopback) {
    const key = demonstrationKey(environment.configFile);
    if (key)
      lines.push(
        `Demonstration key: ${key} (its secret is in ${relative('.', environment.configFile)})`,
      );
    lines.push(`Quick start: ${environment.baseUrl}/docs/quick-start`);
    lines.push('In a second terminal: npm run demo');
  }
  return `\n${lines.map((line) => `  ${line}`).join('\n')}\n\n`;
}

function demonstrationKey(file: string): string | undefined {
  const { partners } = parse(readFileSync(file, 'utf8')) as FileWithKeys;
  return partners?.flatMap(({ keys }) => keys ?? []).find(({ name }) => name === 'demo')?.apiKey;
}
