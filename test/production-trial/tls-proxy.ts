/**
 * Replaces the nginx of docs/operators/going-live.md in a rehearsal. It terminates TLS, keeps the path and the host, and
 * appends the client to `X-Forwarded-For`.
 *
 *     PROXY_HOST=192.168.1.5 PROXY_PORT=8443 UPSTREAM_PORT=3000 TLS_CERT=… TLS_KEY=… \
 *       node test/production-trial/tls-proxy.ts
 */

import { passOn } from '../support/pass-on.ts';
import { needed, serveOverTls } from './tls-server.ts';

const port = needed('UPSTREAM_PORT');

serveOverTls(
  Number(needed('PROXY_PORT')),
  (request, response) => {
    const { connection: _, 'x-forwarded-for': before, ...passed } = request.headers;
    const chain = [before, request.socket.remoteAddress].filter((one) => one !== undefined);
    const headers = { ...passed, 'x-forwarded-for': chain.join(', ') };
    passOn(request, response, { hostname: '127.0.0.1', port, headers });
  },
  needed('PROXY_HOST'),
);
