import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { serviceOfFile } from '../../support/shared-service.js';
import { Relay } from './relay.js';
import { ofFile } from '../../support/of-file.js';

const FOLDER = fileURLToPath(new URL('../../../examples/python/', import.meta.url));

const service = serviceOfFile();
const relay = ofFile(() => Relay.before(service.baseUrl));

/** The output of a program, or its error output if it fails. */
async function python(...args: string[]): Promise<string> {
  const { apiKey, apiSecret } = service.credentials;
  const child = spawn('python3', ['-B', ...args], {
    cwd: FOLDER,
    env: {
      ...process.env,
      RINPATH_BASE_URL: relay.url,
      RINPATH_API_KEY: apiKey,
      RINPATH_API_SECRET: apiSecret,
    },
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
  return printed.trim();
}

beforeEach(() => relay.forget());

describe('the Python example', () => {
  it('takes a headless loan to the payout', async () => {
    const steps = (await python('loan.py')).split('\n');
    expect(steps.filter((step) => /^(SELECT|SUBMIT|REDIRECT)/.test(step))).toEqual([
      'SELECT_OFFER',
      'REDIRECT_TO_KYC',
      'SUBMIT_BANK_ACCOUNT',
      'REDIRECT_TO_MANDATE',
      'REDIRECT_TO_ESIGN',
    ]);
    expect(steps.at(-1)).toBe('SANCTIONED');
  });
});
