import { PNG } from 'pngjs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
});

interface Visit {
  readonly method?: string;
  readonly language?: string;
  readonly cookie?: string;
  readonly form?: Record<string, string>;
}

async function visit(path: string, { method, language, cookie, form }: Visit = {}) {
  const response = await fetch(service.baseUrl + path, {
    method: method ?? (form ? 'POST' : 'GET'),
    redirect: 'manual',
    headers: {
      Accept: 'text/html',
      ...(language && { 'Accept-Language': language }),
      ...(cookie && { Cookie: cookie }),
    },
    ...(form && { body: new URLSearchParams(form) }),
  });
  return { status: response.status, headers: response.headers, html: await response.text() };
}

describe('every screen', () => {
  it('forbids storing and framing, and may load nothing from elsewhere', async () => {
    const { headers } = await visit('/returned');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('permissions-policy')).toContain('geolocation=()');
    const policy = headers.get('content-security-policy')?.split('; ');
    expect(policy).toEqual([
      "default-src 'none'",
      "style-src 'self'",
      "img-src 'self'",
      "font-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]);
  });

  it('names the operator, its help and its grievance officer', async () => {
    const { html } = await visit('/returned');
    expect(html).toContain('<title>This step is done – Rinpath</title>');
    expect(html).toContain('href="tel:18000001200"');
    expect(html).toContain('Anjali Krishnamurthy');
    expect(html).toContain('grievance@rinpath.example');
  });
});

describe('the language of a screen', () => {
  it('is the one that the browser prefers', async () => {
    for (const [language, expected] of [
      [undefined, 'en'],
      ['hi-IN, en;q=0.5', 'hi'],
      ['ta-IN, hi;q=0.7, en;q=0.5', 'hi'],
      ['ta-IN', 'en'],
    ]) {
      const { html } = await visit('/returned', { language });
      expect(html).toContain(`<html lang="${expected}">`);
    }
  });

  it('is the one chosen on a page, from then on, and the page is the same again; one that there is not changes nothing', async () => {
    const back = '/returned?from=app';
    const chosen = await visit('/language', { form: { lang: 'hi', back } });
    expect([chosen.status, chosen.headers.get('location')]).toEqual([303, back]);
    const cookie = chosen.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^lang=hi; .*HttpOnly; SameSite=Lax$/);
    const { html } = await visit('/returned', { language: 'en', cookie: cookie.split(';')[0] });
    expect(html).toContain('यह चरण पूरा हुआ');
    const { status, headers } = await visit('/language', { form: { lang: 'xx', back } });
    expect([status, headers.get('set-cookie')]).toEqual([303, null]);
    expect((await visit('/returned', { cookie: 'lang=xx' })).html).toContain('<html lang="en">');
  });

  it.each([
    'https://elsewhere.example/',
    '//elsewhere.example',
    '/\\elsewhere.example',
    '/.//elsewhere.example',
    '/hosted/..//elsewhere.example',
    '/%2e/\\elsewhere.example',
    'x',
    '',
  ])('leads back to no other site: %j', async (back) => {
    const { headers } = await visit('/language', { form: { lang: 'hi', back } });
    expect(headers.get('location')).toMatch(/^\/(?![/\\])/);
  });
});

it('a failure on a screen is a page in the applicant’s words, with the number to quote and nothing that was sent', async () => {
  const { status, html, headers } = await visit('/nowhere?pan=ABCDE1234F<script>', {
    language: 'hi',
  });
  expect(status).toBe(404);
  expect(html).toContain('यहाँ कोई पेज नहीं है');
  expect(html).toContain(headers.get('x-request-id'));
  for (const absent of ['<script', 'route_not_found']) expect(html).not.toContain(absent);
});

describe('what screens are drawn with', () => {
  const asset = async (path: string, headers = {}) => {
    const response = await fetch(`${service.baseUrl}/assets/${path}`, { headers });
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, bytes };
  };

  it('may be kept forever under its address, which changes with its content; of another release it is not kept', async () => {
    const { html } = await visit('/returned');
    const addresses = [...html.matchAll(/(?:href|src)="\/assets\/([^"]+)"/g)];
    expect(addresses.length).toBeGreaterThanOrEqual(4);
    for (const [, address] of addresses) {
      const { status, headers } = await asset(address);
      expect([address, status]).toEqual([address, 200]);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
    const { status, headers } = await asset('screens.css?v=000000000000');
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=60']);
  });

  it('is compressed as the browser takes it', async () => {
    for (const [accepted, encoding] of [
      ['gzip, br', 'br'],
      ['gzip', 'gzip'],
      ['identity', null],
    ]) {
      const { headers, bytes } = await asset('screens.css', { 'accept-encoding': accepted });
      expect(headers.get('content-encoding')).toBe(encoding);
      expect(bytes.toString()).toContain('--accent-soft:');
    }
  });

  it('has the operator’s colour, readable in both schemes, and its logo as a picture that can run nothing; nothing else of the server’s', async () => {
    const style = (await asset('brand.css')).bytes.toString();
    expect(style).toContain('--accent:#0b5fa5');
    expect(style).toContain('prefers-color-scheme:dark');
    const { headers, bytes } = await asset('brand-logo');
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/png',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
    });
    expect(PNG.sync.read(bytes)).toMatchObject({ width: 256, height: 256 });
    for (const file of ['nothing.css', '..%2fviews%2ffault.hbs', '%2e%2e/package.json'])
      expect((await asset(file)).status).toBe(404);
  });
});
