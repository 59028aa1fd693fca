/**
 * Yardstick (a): a server on `node:http` and `pg` without a framework. Each call is one prepared, hand-written
 * statement.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Pool } from 'pg';
import {
  journeyAnswer,
  type JourneyRow,
  limitHeaders,
  nonceOf,
  settings,
  STATEMENTS,
} from './hand-written.ts';
import { newJourney } from './new-journey.ts';

const given = settings();
const pool = new Pool({ connectionString: given.databaseUrl, max: given.poolSize });
const JOURNEY = /^\/api\/v1\/partner\/journey\/(jrn_[0-9a-f]{32})$/;

function send(response: ServerResponse, status: number, data: unknown, headers = {}): void {
  const text = JSON.stringify(
    status === 200 ? { success: true, data } : { success: false, error: data },
  );
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString('utf8');
  const { method = 'GET', url = '/' } = request;
  const nonce = nonceOf(given, method, url, request.headers, body);
  if (nonce === null) return send(response, 401, 'Invalid signature or expired timestamp');
  if (method === 'POST') return initiate(response, nonce, body);
  if (url === '/api/v1/partner/products') return products(response, nonce);
  return journey(response, nonce, JOURNEY.exec(url)?.[1] ?? '');
}

async function journey(response: ServerResponse, nonce: string, id: string): Promise<void> {
  const values = [given.apiKey, nonce, id, given.partnerId];
  const { rows } = await pool.query<JourneyRow & { minute_used: number }>({
    ...STATEMENTS.journey,
    values,
  });
  const [row] = rows;
  if (!row || row.fresh === 0) return send(response, 401, 'The nonce was used before');
  if (row.id === null) return send(response, 404, 'There is no such journey');
  send(response, 200, journeyAnswer(row, given.apiSecret), limitHeaders(row));
}

async function products(response: ServerResponse, nonce: string): Promise<void> {
  const values = [given.apiKey, nonce];
  const { rows } = await pool.query<{ fresh: number; minute_used: number; products: unknown }>({
    ...STATEMENTS.products,
    values,
  });
  const [row] = rows;
  if (!row || row.fresh === 0) return send(response, 401, 'The nonce was used before');
  send(response, 200, { products: row.products }, limitHeaders(row));
}

async function initiate(response: ServerResponse, nonce: string, text: string): Promise<void> {
  const made = newJourney(given, text);
  if (!made) return send(response, 400, 'Validation failed');
  const values = [given.apiKey, nonce, ...made.values];
  const { rows } = await pool.query<{ fresh: number; minute_used: number }>({
    ...STATEMENTS.initiate,
    values,
  });
  const [row] = rows;
  if (!row || row.fresh === 0) return send(response, 401, 'The nonce was used before');
  send(response, 200, made.answer, limitHeaders(row));
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => send(response, 500, String(error)));
});
server.listen(0, '127.0.0.1', () =>
  process.send?.({ port: (server.address() as { port: number }).port }),
);
