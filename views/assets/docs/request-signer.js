/**
 * Signs requests in the browser as the partner API asks for it:
 * hex(HMAC-SHA256(secret, METHOD \n TARGET \n TIMESTAMP \n NONCE \n BODY)).
 */

const encoder = new TextEncoder();

async function hmacHex(secret, text) {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, [
    'sign',
  ]);
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Swagger UI keeps headers under the names of the document; these replace them in any case. */
function replaceHeader(headers, name, value) {
  for (const known of Object.keys(headers)) {
    if (known.toLowerCase() === name) delete headers[known];
  }
  headers[name] = value;
}

/**
 * Makes Swagger UI's `requestInterceptor`.
 * @param readCredentials answers `{ apiKey, apiSecret }` as the page has them at the moment
 * @param pageUrl the page's address: calls go to where the page came from, under whatever name the
 *   reader reached it, since the page's policy allows no other
 */
export function requestSigner(readCredentials, pageUrl) {
  return async (request) => {
    const { pathname, search } = new URL(request.url, pageUrl);
    request.url = new URL(pathname + search, pageUrl).href;
    const { apiKey, apiSecret } = readCredentials();
    if (!pathname.includes('/v1/partner/') || !apiSecret) return request;
    const timestamp = String(Math.floor(Date.now() / 1000));
    const nonce = crypto.randomUUID();
    const head = [request.method.toUpperCase(), pathname + search, timestamp, nonce, ''].join('\n');
    const headers = (request.headers ??= {});
    // A key given in the Authorize dialog names the key, too; two that differ would be refused.
    const isNamed = Object.keys(headers).some((name) => /^(authorization|x-api-key)$/i.test(name));
    if (!isNamed) headers['x-api-key'] = apiKey;
    replaceHeader(headers, 'x-timestamp', timestamp);
    replaceHeader(headers, 'x-nonce', nonce);
    replaceHeader(headers, 'x-signature', await hmacHex(apiSecret, head + (request.body ?? '')));
    return request;
  };
}
