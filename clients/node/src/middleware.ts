import { signedHeaders } from './signature.ts';
import type { KeyPair } from './signature.ts';

/** Middleware as `openapi-fetch` takes it. */
export interface SigningMiddleware {
  onRequest(call: { readonly request: Request }): Promise<Request>;
}

/**
 * Signs the calls of a generated client: `client.use(signingMiddleware({ apiKey, apiSecret }))`. It signs the bytes
 * that are sent, so it must come after any middleware that changes the request.
 */
export function signingMiddleware(key: KeyPair): SigningMiddleware {
  return {
    async onRequest({ request }) {
      const { pathname, search } = new URL(request.url);
      const rawBody = await request.clone().text();
      const { method } = request;
      // A redirect would show the key to another address.
      const signed = new Request(request, { redirect: 'error' });
      const headers = signedHeaders({ method, target: pathname + search, rawBody }, key);
      for (const [name, value] of Object.entries(headers)) signed.headers.set(name, value);
      return signed;
    },
  };
}
