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

/** The key that signs. */
export interface LoadKey {
  readonly apiKey: string;
  readonly apiSecret: string;
}

/** The demonstration partner's key for load tests. @throws Error when the file has none */
export function demoLoadKey(): LoadKey {
  return demoKey('demo-load');
}

/** A key of the demonstration partner, by name. @throws Error when the file has none */
export function demoKey(name: string): LoadKey {
  const key = partners.find(({ id }) => id === 'demo')?.keys.find((one) => one.name === name);
  if (!key) throw new Error(`config/sandbox.yaml has no key demo/${name}`);
  return { apiKey: key.apiKey, apiSecret: key.apiSecret };
}

/** The signed parts of a request. */
export interface SignedRequest {
  readonly method: string;
  readonly target: string;
  readonly body: string;
}

/** The headers of a request signed now. */
export function signedHeaders(
  { apiKey, apiSecret }: LoadKey,
  { method, target, body }: SignedRequest,
): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const nonce = randomUUID();
  const signature = createHmac('sha256', apiSecret)
    .update([method, target, timestamp, nonce, body].join('\n'))
    .digest('hex');
  return {
    'x-api-key': apiKey,
    'x-timestamp': timestamp,
    'x-nonce': nonce,
    'x-signature': signature,
  };
}

/** Unsigned headers, such as the journey's session. */
type Headers = Readonly<Record<string, string>>;

/** A response without success. */
export class NoSuccess extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** A partner with the `demo-load` key and keep-alive connections. */
export class SignedClient {
  private readonly agent = new Agent({ keepAlive: true });
  private readonly key = demoLoadKey();
  private readonly baseUrl: string;

  constructor(baseUrl: string) {
    this.baseUrl = baseUrl;
  }

  /** Returns the body of a GET. @throws NoSuccess unless the status is 200 */
  get(target: string, more: Headers = {}): Promise<string> {
    return this.send({ method: 'GET', target, body: '' }, more);
  }

  /** Returns the body of a POST of JSON. @throws NoSuccess unless the status is 200 */
  post(target: string, body: string, more: Headers = {}): Promise<string> {
    return this.send({ method: 'POST', target, body }, more);
  }

  private send(call: SignedRequest, more: Headers): Promise<string> {
    const { method, target, body } = call;
    const headers = { ...signedHeaders(this.key, call), ...more };
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        `${this.baseUrl}${target}`,
        { method, agent: this.agent, headers },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8');
            const { statusCode = 0 } = response;
            if (statusCode === 200) resolve(text);
            else reject(new NoSuccess(`${method} ${target}: ${statusCode} ${text}`, statusCode));
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
}
