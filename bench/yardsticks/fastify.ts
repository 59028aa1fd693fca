/** Yardstick (c): the bare server's statements and checks, on Fastify. */
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { Pool } from 'pg';
import {
  journeyAnswer,
  type JourneyRow,
  limitHeaders,
  nonceOf,
  settings,
  STATEMENTS,
} from './hand-written.ts';

const given = settings();
const pool = new Pool({ connectionString: given.databaseUrl, max: given.poolSize });
const app = fastify();

function refuse(reply: FastifyReply, status: number, error: string): FastifyReply {
  return reply.code(status).send({ success: false, error });
}

app.get('/api/v1/partner/products', async (request, reply) => {
  const nonce = nonceOf(given, 'GET', request.url, request.headers, '');
  if (nonce === null) return refuse(reply, 401, 'Invalid signature or expired timestamp');
  const { rows } = await pool.query<{ fresh: number; minute_used: number; products: unknown }>({
    ...STATEMENTS.products,
    values: [given.apiKey, nonce],
  });
  const [row] = rows;
  if (!row || row.fresh === 0) return refuse(reply, 401, 'The nonce was used before');
  return reply.headers(limitHeaders(row)).send({ success: true, data: { products: row.products } });
});

app.get(
  '/api/v1/partner/journey/:id',
  async (request: FastifyRequest<{ Params: { id: string } }>, reply) => {
    const nonce = nonceOf(given, 'GET', request.url, request.headers, '');
    if (nonce === null) return refuse(reply, 401, 'Invalid signature or expired timestamp');
    const { rows } = await pool.query<JourneyRow & { minute_used: number }>({
      ...STATEMENTS.journey,
      values: [given.apiKey, nonce, request.params.id, given.partnerId],
    });
    const [row] = rows;
    if (!row || row.fresh === 0) return refuse(reply, 401, 'The nonce was used before');
    if (row.id === null) return refuse(reply, 404, 'There is no such journey');
    return reply
      .headers(limitHeaders(row))
      .send({ success: true, data: journeyAnswer(row, given.apiSecret) });
  },
);

await app.listen({ port: 0, host: '127.0.0.1' });
const { port } = app.server.address() as { port: number };
process.send?.({ port });
