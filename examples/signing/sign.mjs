// API_SECRET=… node sign.mjs METHOD TARGET TIMESTAMP NONCE < body
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';

export function sign(secret, method, target, timestamp, nonce, body) {
  const head = `${method.toUpperCase()}\n${target}\n${timestamp}\n${nonce}\n`;
  return createHmac('sha256', secret).update(head).update(body).digest('hex');
}

const [method, target, timestamp, nonce] = process.argv.slice(2);
console.log(sign(process.env.API_SECRET, method, target, timestamp, nonce, readFileSync(0)));
