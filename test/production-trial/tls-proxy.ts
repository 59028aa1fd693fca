/**
 * Replaces the nginx of docs/operators/going-live.md in a rehearsal. It terminates TLS, keeps the path and the host, and
 * appends the client to `X-Forwarded-For`.
 *
 *     PROXY_HOST=192.168.1.5 PROXY_PORT=8443 UPSTREAM_PORT=3000 TLS_CERT=… TLS_KEY=… \
 *       node test/production-trial/tls-proxy.ts
 */
import { Agent, request as httpRequest } from 'node:http';
import { needed, serveOverTls } from './tls-server.ts';

const agent = new Agent({ keepAlive: true });
const port = Number(needed('UPSTREAM_PORT'));

serveOverTls(
  Number(needed('PROXY_PORT')),
  (request, response) => {
    const { method, url, headers, socket } = request;
    const before = headers['x-forwarded-for'];
    const chain = [before, socket.remoteAddress].filter((one) => one !== undefined).join(', ');
    const { connection: _, ...passed } = headers;
    const upstream = httpRequest(
      {
        agent,
        host: '127.0.0.1',
        port,
        method,
        path: url,
        headers: { ...passed, 'x-forwarded-for': chain },
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    upstream.on('error', () => (response.headersSent ? response.destroy() : badGateway()));
    const badGateway = () => response.writeHead(502).end();
    request.pipe(upstream);
  },
  needed('PROXY_HOST'),
);
