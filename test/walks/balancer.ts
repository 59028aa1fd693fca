import {
  createServer,
  type IncomingMessage,
  request as httpRequest,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Replica } from '../faults/replica.ts';

/** The one address that lenders and applicants know: each call goes to a running replica. */
export class Balancer {
  private readonly server: Server;
  private readonly choose: () => Replica;

  constructor(choose: () => Replica) {
    this.choose = choose;
    this.server = createServer((request, response) => this.pass(request, response));
  }

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, '127.0.0.1', resolve);
    });
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  private pass(request: IncomingMessage, response: ServerResponse): void {
    const { hostname, port } = new URL(this.choose().baseUrl);
    const { method, url: path, headers } = request;
    const passed = httpRequest({ hostname, port, method, path, headers, agent: false });
    passed.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', () => response.destroy());
      answer.pipe(response);
    });
    // It is unknown whether it arrived.
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  }
}
