import { type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';

interface Target {
  readonly hostname: string;
  readonly port: number | string;
  readonly headers?: IncomingMessage['headers'];
}

/** Forwards a request to another server; responds 502 without a response. */
export function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  { hostname, port, headers = request.headers }: Target,
): void {
  const { method, url: path } = request;
  const passed = httpRequest({ hostname, port, method, path, headers, agent: false });
  passed.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.on('error', () => response.destroy());
    answer.pipe(response);
  });
  passed.on('error', () => (response.headersSent ? response.destroy() : fail(response)));
  request.pipe(passed);
}

function fail(response: ServerResponse): void {
  response.writeHead(502).end();
}
