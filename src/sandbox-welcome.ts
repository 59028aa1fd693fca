import { relative } from 'node:path';
import type { Environment } from './platform/index.js';
import { demonstrationKey } from './settings/index.js';

export function sandboxWelcome(environment: Environment): string {
  const lines = [`Rinpath is ready at ${environment.baseUrl} (${environment.mode})`];
  if (environment.mode === 'sandbox' && environment.isLoopback) {
    const key = demonstrationKey(environment.configFile);
    if (key)
      lines.push(
        `Demonstration key: ${key.apiKey} (its secret is in ${relative('.', environment.configFile)})`,
      );
    lines.push(`Quick start: ${environment.baseUrl}/docs/quick-start`);
    lines.push('In a second terminal: npm run demo');
  }
  return `\n${lines.map((line) => `  ${line}`).join('\n')}\n\n`;
}
