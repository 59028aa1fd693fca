import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { canonicalHead, signRequest } from '../../../src/auth/request-signature.js';
import { inForm } from '../../support/long-form.js';
import { partnerClient, type PartnerClient } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';

interface Vector {
  name: string;
  secret: string;
  method: string;
  target: string;
  timestamp: string;
  nonce: string;
  /** Base64. */
  body: string;
  canonicalString: string;
  signature: string;
}

interface Signable {
  secret: string;
  method: string;
  target: string;
  timestamp: string;
  nonce: string;
  body: Buffer;
}

const ROOT = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');
const { vectors } = JSON.parse(read('docs/signing-vectors.json')) as { vectors: Vector[] };

const EXAMPLES = [
  { file: 'sign.mjs', command: process.execPath, language: 'js' },
  { file: 'sign.py', command: 'python3', language: 'python' },
  { file: 'sign.sh', command: 'sh', language: 'sh' },
];

/** What an example prints. @throws Error when its interpreter is missing, or it fails */
function runExample({ file, command }: (typeof EXAMPLES)[number], request: Signable): string {
  const { secret, method, target, timestamp, nonce, body } = request;
  const path = fileURLToPath(new URL(`examples/signing/${file}`, ROOT));
  const { error, status, stdout, stderr } = spawnSync(
    command,
    [path, method, target, timestamp, nonce],
    { input: body, encoding: 'utf8', env: { ...process.env, API_SECRET: secret } },
  );
  if (error) throw new Error(`${command} cannot be run: install it to test examples/signing`);
  if (status !== 0) throw new Error(`${file} failed: ${stderr}`);
  return stdout.trim();
}

function signableOf({ body, ...vector }: Vector): Signable {
  return { ...vector, body: Buffer.from(body, 'base64') };
}

describe('the test vectors', () => {
  it.each(vectors)('are what the service computes: $name', (vector) => {
    const request = signableOf(vector);
    expect(canonicalHead(request) + request.body.toString('utf8')).toBe(vector.canonicalString);
    expect(signRequest(vector.secret, request).toString('hex')).toBe(vector.signature);
  });
});

/** One of each kind of body; each is a process. */
const SIGNED = inForm({
  short: vectors.filter(({ name }) => /beyond ASCII/.test(name)),
  long: vectors,
});

describe.each(EXAMPLES)('the example $file', (example) => {
  let service: TestService;
  let demo: PartnerClient;

  beforeAll(async () => {
    service = await sharedService();
    demo = partnerClient(service);
  });

  it.each(SIGNED)('signs the vector: $name', (vector) => {
    expect(runExample(example, signableOf(vector))).toBe(vector.signature);
  });

  it('signs what the service accepts, and is in docs/partners/signing.md word for word', async () => {
    const [method, target] = ['POST', '/api/v1/partner/webhooks'];
    const text = '{"url":"http://127.0.0.1:1/अनुजा","events":[]}';
    const { apiSecret: secret } = service.credentials;
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const nonce = randomUUID();
    const body = Buffer.from(text, 'utf8');
    const signature = runExample(example, { secret, method, target, timestamp, nonce, body });
    const { status, json } = await demo.request(method, target, {
      body,
      overrides: { timestamp, nonce, signature },
    });
    expect([status, json.error]).toEqual([200, undefined]);
    const code = read(`examples/signing/${example.file}`);
    expect(read('docs/partners/signing.md')).toContain(`\`\`\`${example.language}\n${code}\`\`\``);
  });
});
