// Signs each request of the collection, as docs/partners/signing.md describes. Bruno runs it before each request.
const { HmacSHA256 } = require('crypto-js');
const { v4: newNonce } = require('uuid');

const body = req.getBody();
const hasBody = body !== undefined && body !== null && body !== '';
const rawBody = hasBody
  ? bru.interpolate(typeof body === 'string' ? body : JSON.stringify(body))
  : '';
// Sign exactly the text that is sent.
if (hasBody) req.setBody(rawBody);

const target = bru.interpolate(req.getUrl()).replace(/^https?:\/\/[^/]+/, '');
const timestamp = String(Math.floor(Date.now() / 1000));
const nonce = newNonce();
const signed = [req.getMethod().toUpperCase(), target, timestamp, nonce, rawBody].join('\n');
req.setHeader('x-api-key', bru.getEnvVar('apiKey'));
req.setHeader('x-timestamp', timestamp);
req.setHeader('x-nonce', nonce);
req.setHeader('x-signature', HmacSHA256(signed, bru.getEnvVar('apiSecret')).toString());
