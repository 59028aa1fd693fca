// npm install, then: WEBHOOK_SECRET=whsec_… PORT=8080 node receiver.mjs
import { verifyWebhook } from '@rinpath/client';
import fastify from 'fastify';

const { WEBHOOK_SECRET, PORT = '8080' } = process.env;

// In production a table: insert the id and the event before the response, and let a worker read it.
const seen = new Set();

async function handle(event) {
  // Ignore an event whose `sequence` is lower than the highest seen of its journey or lead.
  console.log(`handled ${event.event} ${event.id}`);
}

const app = fastify();

// The signature is over the bytes as they came. In a larger app register this route as a plugin, which keeps
// the parsers of the other routes.
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

app.post('/webhooks', (request, reply) => {
  let webhook;
  try {
    webhook = verifyWebhook(request.body, request.headers, WEBHOOK_SECRET);
  } catch (error) {
    console.error(`refused: ${error.message}`);
    reply.code(400).send();
    return;
  }
  reply.code(200).send();
  if (seen.has(webhook.id)) return;
  seen.add(webhook.id);
  // After the response, which must come within five seconds.
  setImmediate(() => handle(webhook.body).catch(console.error));
});

await app.listen({ port: Number(PORT), host: '127.0.0.1' });
