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

/** A partner with the `demo-load` key, on connections that are kept open. */
export class SignedClient {
  private readonly agent = new Agent({ keepAlive: true });
  private readonly key = partners
    .find(({ id }) => id === 'demo')
    ?.keys.find(({ name }) => name === 'demo-load');
  private readonly baseUrl: string;

  constructor(baseUrl: string) {
    this.baseUrl = baseUrl;
  }

  /** Answers the body of a GET. @throws Error when the status is not 200 */
  get(target: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        `${this.baseUrl}${target}`,
        { agent: this.agent, headers: this.headers('GET', target) },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => {
            const body = Buffer.concat(chunks).toString('utf8');
            if (response.statusCode === 200) resolve(body);
            else reject(new Error(`GET ${target}: ${response.statusCode} ${body}`));
          });
        },
      );
      request.on('error', reject);
      request.end();
    });
  }

  close(): void {
    this.agent.destroy();
  }

  private headers(method: string, target: string): Record<string, string> {
    if (!this.key) throw new Error('config/sandbox.yaml has no key demo/demo-load');
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const nonce = randomUUID();
    const signature = createHmac('sha256', this.key.apiSecret)
      .update([method, target, timestamp, nonce, ''].join('\n'))
      .digest('hex');
    return {
      'x-api-key': this.key.apiKey,
      'x-timestamp': timestamp,
      'x-nonce': nonce,
      'x-signature': signature,
    };
  }
}
