import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { canonicalHead, signRequest } from '../../../src/auth/request-signature.js';
import { serviceOfFile } from '../../support/shared-service.js';
import { isOnPath, runSnippet, type Snippet, snippetsOf } from '../../support/snippets.js';

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

const ACCEPTED = /^\{"success":true,.*"subscriptionId":"sub_/;

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

describe('the signed call that docs/partners/signing.md shows', () => {
  const snippets = snippetsOf('signed-call');
  const service = serviceOfFile();

  async function answerOf(snippet: Snippet): Promise<string> {
    const { apiKey: API_KEY, apiSecret: API_SECRET } = service.credentials;
    const target = '/api/v1/partner/webhooks?note=a%2Cb+c';
    const body = '{"url":"http://127.0.0.1:1/अनुजा","events":[]}';
    const environment = { BASE_URL: service.baseUrl, API_KEY, API_SECRET };
    return runSnippet(snippet, { given: ['POST', target, body], environment });
  }

  it.each(snippets.filter(({ isEverywhere }) => isEverywhere))(
    'is accepted by the service in $language',
    async (snippet) => expect(await answerOf(snippet)).toMatch(ACCEPTED),
  );

  for (const snippet of snippets.filter(({ isEverywhere }) => !isEverywhere)) {
    it.skipIf(!isOnPath(snippet.command))(
      `is accepted in ${snippet.language}, where it is installed`,
      async () => expect(await answerOf(snippet)).toMatch(ACCEPTED),
    );
  }
});
