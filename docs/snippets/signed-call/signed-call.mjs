// node signed-call.mjs [METHOD TARGET [BODY]] (Node 20 or later)
import { createHmac, randomUUID } from 'node:crypto';

const BASE_URL = process.env.BASE_URL ?? 'http://localhost:3000';
const API_KEY = process.env.API_KEY ?? 'YOUR_API_KEY';
const API_SECRET = process.env.API_SECRET ?? 'YOUR_API_SECRET';

async function call(method, target, body = '') {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const nonce = randomUUID();
  const signed = `${method}\n${target}\n${timestamp}\n${nonce}\n${body}`;
  const response = await fetch(BASE_URL + target, {
    method,
    headers: {
      'content-type': 'application/json',
      'x-api-key': API_KEY,
      'x-timestamp': timestamp,
      'x-nonce': nonce,
      'x-signature': createHmac('sha256', API_SECRET).update(signed).digest('hex'),
    },
    body: body === '' ? undefined : body,
  });
  return response.text();
}

const [method = 'GET', target = '/api/v1/partner/products', body] = process.argv.slice(2);
console.log(await call(method, target, body));
