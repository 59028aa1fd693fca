import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectPath } from '../../src/platform/index.js';

interface Findings {
  readonly totals: object;
  readonly problems: readonly unknown[];
}

export const NOTHING_TO_SAY: Findings = {
  totals: { errors: 0, warnings: 0, ignored: 0 },
  problems: [],
};

/** The findings of Redocly's command line on an OpenAPI document under the project's rules. */
export function lintDocument(document: object): Findings {
  const folder = mkdtempSync(join(tmpdir(), 'rinpath-openapi-'));
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(document));
  try {
    return lint(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function lint(file: string): Findings {
  const output = execFileSync(
    process.execPath,
    [
      projectPath('node_modules/@redocly/cli/bin/cli.js'),
      'lint',
      file,
      `--config=${projectPath('redocly.yaml')}`,
      '--format=json',
      '--max-problems=1000',
    ],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: {
        PATH: process.env.PATH,
        REDOCLY_TELEMETRY: 'off',
        REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
        // Blocks all network access.
        HTTPS_PROXY: 'http://127.0.0.1:9',
        HTTP_PROXY: 'http://127.0.0.1:9',
      },
    },
  );
  const { totals, problems } = JSON.parse(output) as Findings;
  return { totals, problems };
}
