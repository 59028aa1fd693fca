import { describe, expect, it } from 'vitest';
import { signingMiddleware } from '../../../clients/node/src/index.js';
import { sharedService } from '../../support/shared-service.js';

/** Sends a request as a generated client with this middleware does. */
async function answerTo(request: Request, key: { apiKey: string; apiSecret: string }) {
  const response = await fetch(await signingMiddleware(key).onRequest({ request }));
  return (await response.json()) as { success: boolean; data: object; code?: string };
}

describe('the middleware for generated clients', () => {
  it('signs the method, the query and the bytes of the body that are sent', async () => {
    const { baseUrl, credentials } = await sharedService();
    const leads = `${baseUrl}/api/v1/partner/leads?limit=1&from=2026-01-01T00%3A00%3A00%2B05%3A30`;
    expect(await answerTo(new Request(leads), credentials)).toMatchObject({ success: true });
    const registration = new Request(`${baseUrl}/api/v1/partner/webhooks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{ "url": "http://127.0.0.1:1/अनुजा" }',
    });
    const registered = await answerTo(registration, credentials);
    expect(registered.data).toMatchObject({ subscriptionId: expect.stringMatching(/^sub_/) });
    const wrong = { ...credentials, apiSecret: 'another' };
    expect(await answerTo(new Request(leads), wrong)).toMatchObject({ code: 'invalid_signature' });
  });

  it('keeps the headers and the time limit of the request, and follows no redirect', async () => {
    const controller = new AbortController();
    const request = new Request('http://127.0.0.1:1/a?b=c', {
      headers: { 'x-journey-session': 'session' },
      signal: controller.signal,
    });
    const key = { apiKey: 'key', apiSecret: 'secret' };
    const signed = await signingMiddleware(key).onRequest({ request });
    controller.abort();
    expect([signed.redirect, signed.signal.aborted]).toEqual(['error', true]);
    expect(Object.fromEntries(signed.headers)).toMatchObject({
      'x-journey-session': 'session',
      'x-api-key': 'key',
      'x-signature': expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });
});
