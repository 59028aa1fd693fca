// npm install, then: WEBHOOK_SECRET=whsec_… PORT=8080 node receiver.mjs
import { verifyWebhook } from '@rinpath/client';
import express from 'express';

const { WEBHOOK_SECRET, PORT = '8080' } = process.env;

// In production a table: insert the id and the event before the response, and let a worker read it.
const seen = new Set();

async function handle(event) {
  // Ignore an event whose `sequence` is lower than the highest seen of its journey or lead.
  console.log(`handled ${event.event} ${event.id}`);
}

const app = express();

// The signature is over the bytes as they came: no express.json() before this route.
app.post('/webhooks', express.raw({ type: '*/*', limit: '1mb' }), (request, response) => {
  let webhook;
  try {
    webhook = verifyWebhook(request.body, request.headers, WEBHOOK_SECRET);
  } catch (error) {
    console.error(`refused: ${error.message}`);
    response.sendStatus(400);
    return;
  }
  response.sendStatus(200);
  if (seen.has(webhook.id)) return;
  seen.add(webhook.id);
  // After the response, which must come within five seconds.
  setImmediate(() => handle(webhook.body).catch(console.error));
});

app.listen(Number(PORT), '127.0.0.1');
