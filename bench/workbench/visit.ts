import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { ShownPage } from './shown-pages.ts';

export interface Visited {
  readonly ms: number;
  /** As sent, and as decompressed. */
  readonly bytes: number;
  readonly htmlBytes: number;
}

/** A browser's connection to a sandbox's workbench, as the demonstration partner. */
export class Visitor {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });
  private readonly baseUrl: string;
  private cookie = '';
  private csrf = '';

  constructor(baseUrl: string) {
    this.baseUrl = baseUrl;
  }

  /** Fetches a form's token, which forms require. */
  async enter(): Promise<void> {
    const { response, body } = await this.send({ name: 'form', path: '/workbench/signature' });
    this.cookie = (response.headers['set-cookie'] ?? [])
      .map((line) => line.split(';')[0])
      .join('; ');
    this.csrf = /name="csrf" value="([^"]+)"/.exec(unpacked(response, body).toString())?.[1] ?? '';
  }

  /** @throws Error unless the status is 200 */
  async visit(page: ShownPage): Promise<Visited> {
    const startedAt = performance.now();
    const { response, body } = await this.send(page);
    const ms = performance.now() - startedAt;
    const html = unpacked(response, body);
    if (response.statusCode !== 200) {
      throw new Error(`${page.path}: ${response.statusCode} ${html.toString().slice(0, 300)}`);
    }
    return { ms, bytes: body.length, htmlBytes: html.length };
  }

  close(): void {
    this.agent.destroy();
  }

  private send({ path, form }: ShownPage): Promise<{ response: IncomingMessage; body: Buffer }> {
    const entered = form && new URLSearchParams({ ...form, csrf: this.csrf }).toString();
    const headers = {
      accept: 'text/html',
      'accept-encoding': 'gzip',
      ...(this.cookie && { cookie: this.cookie }),
      ...(entered && { 'content-type': 'application/x-www-form-urlencoded' }),
    };
    return new Promise((resolve, reject) => {
      const method = entered === undefined ? 'GET' : 'POST';
      const options = { method, agent: this.agent, headers };
      const request = httpRequest(`${this.baseUrl}${path}`, options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ response, body: Buffer.concat(chunks) }));
      });
      request.on('error', reject);
      request.end(entered);
    });
  }
}

function unpacked(response: IncomingMessage, body: Buffer): Buffer {
  return response.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
}
