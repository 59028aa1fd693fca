// WEBHOOK_SECRET=whsec_… node verify.mjs SIGNATURE < body
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';

export function isGenuine(secret, rawBody, signature) {
  const expected = createHmac('sha256', secret).update(rawBody).digest();
  const given = Buffer.from(signature, 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const genuine = isGenuine(process.env.WEBHOOK_SECRET, readFileSync(0), process.argv[2]);
console.log(genuine ? 'genuine' : 'forged');
process.exitCode = genuine ? 0 : 1;
