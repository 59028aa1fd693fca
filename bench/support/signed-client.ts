import { createHmac, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { parse } from 'yaml';

interface SandboxFile {
  partners: { id: string; keys: { name: string; apiKey: string; apiSecret: string }[] }[];
}

const { partners } = parse(
  readFileSync(new URL('../../config/sandbox.yaml', import.meta.url), 'utf8'),
) as SandboxFile;

/** The demonstration partner's key for loads. @throws Error when the file has none */
export function demoLoadKey(): { apiKey: string; apiSecret: string } {
  const key = partners
    .find(({ id }) => id === 'demo')
    ?.keys.find(({ name }) => name === 'demo-load');
  if (!key) throw new Error('config/sandbox.yaml has no key demo/demo-load');
  return { apiKey: key.apiKey, apiSecret: key.apiSecret };
}

/** A partner with the `demo-load` key, on connections that are kept open. */
export class SignedClient {
  private readonly agent = new Agent({ keepAlive: true });
  private readonly key = demoLoadKey();
  private readonly baseUrl: string;

  constructor(baseUrl: string) {
    this.baseUrl = baseUrl;
  }

  /** Answers the body of a GET. @throws Error when the status is not 200 */
  get(target: string): Promise<string> {
    return this.send('GET', target, '');
  }

  /** Answers the body of a POST of JSON. @throws Error when the status is not 200 */
  post(target: string, body: string): Promise<string> {
    return this.send('POST', target, body);
  }

  private send(method: string, target: string, body: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        `${this.baseUrl}${target}`,
        { method, agent: this.agent, headers: this.headers(method, target, body) },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8');
            if (response.statusCode === 200) resolve(text);
            else reject(new Error(`${method} ${target}: ${response.statusCode} ${text}`));
          });
        },
      );
      request.on('error', reject);
      request.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }

  private headers(method: string, target: string, body: string): Record<string, string> {
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const nonce = randomUUID();
    const signature = createHmac('sha256', this.key.apiSecret)
      .update([method, target, timestamp, nonce, body].join('\n'))
      .digest('hex');
    return {
      'x-api-key': this.key.apiKey,
      'x-timestamp': timestamp,
      'x-nonce': nonce,
      'x-signature': signature,
    };
  }
}
