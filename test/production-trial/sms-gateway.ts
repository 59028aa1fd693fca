/**
 * A stand-in for an SMS gateway that accepts JSON as `config/production.yaml` sends it. Accepted messages are printed,
 * and listed at `/messages?to=919876543210`, newest first. No SMS is sent.
 *
 *     SMS_PORT=4400 SMS_GATEWAY_TOKEN=… TLS_CERT=… TLS_KEY=… node test/production-trial/sms-gateway.ts
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { needed, serveOverTls, textOf } from './tls-server.ts';

interface Sms {
  readonly to: string;
  readonly text: string;
}

const token = needed('SMS_GATEWAY_TOKEN');
const taken: Sms[] = [];

serveOverTls(Number(needed('SMS_PORT')), (request, response) => {
  answer(request)
    .catch(() => ({ status: 400, body: { status: 'failed' } }))
    .then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    })
    .catch(() => response.destroy());
});

async function answer(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
  const url = new URL(request.url ?? '/', 'https://sms');
  if (request.method === 'GET' && url.pathname === '/messages') {
    const to = url.searchParams.get('to');
    return { status: 200, body: taken.filter((sms) => sms.to === to) };
  }
  if (request.headers.authorization !== `Bearer ${token}`) {
    return { status: 401, body: { status: 'failed', reason: 'unknown token' } };
  }
  const { to, text } = JSON.parse(await textOf(request)) as Sms;
  if (!/^91\d{10}$/.test(to) || !text) return { status: 422, body: { status: 'failed' } };
  taken.unshift({ to, text });
  console.log(`to ${to}: ${text}`);
  return { status: 200, body: { status: 'queued', data: { id: randomUUID() } } };
}
