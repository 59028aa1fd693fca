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
  it('is kept by nobody, framed by nobody, and may load nothing from elsewhere', async () => {
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
  it.each([
    [undefined, 'en'],
    ['en-IN', 'en'],
    ['hi-IN, en;q=0.5', 'hi'],
    ['ta-IN, hi;q=0.7, en;q=0.5', 'hi'],
    ['ta-IN', 'en'],
  ])('is, for a browser that prefers %s, %s', async (language, expected) => {
    const { html } = await visit('/returned', { language });
    expect(html).toContain(`<html lang="${expected}">`);
  });

  it('is the one chosen on a page, from then on, and the page is the same again', async () => {
    const form = { lang: 'hi', back: '/returned?from=app' };
    const chosen = await visit('/language', { form });
    expect([chosen.status, chosen.headers.get('location')]).toEqual([303, '/returned?from=app']);
    const cookie = chosen.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^lang=hi; .*HttpOnly; SameSite=Lax$/);
    const { html } = await visit('/returned', { language: 'en', cookie: cookie.split(';')[0] });
    expect(html).toContain('यह चरण पूरा हुआ');
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

  it('stays when another is asked for than there are', async () => {
    const { status, headers } = await visit('/language', {
      form: { lang: 'xx', back: '/returned' },
    });
    expect([status, headers.get('set-cookie')]).toEqual([303, null]);
    const { html } = await visit('/returned', { cookie: 'lang=xx' });
    expect(html).toContain('<html lang="en">');
  });
});

describe('a failure on a screen', () => {
  it('is a page in the applicant’s words, with the number to quote', async () => {
    const { status, html, headers } = await visit('/nowhere', { language: 'hi' });
    expect(status).toBe(404);
    expect(html).toContain('यहाँ कोई पेज नहीं है');
    expect(html).toContain(headers.get('x-request-id'));
  });

  it('says nothing internal and repeats nothing that was sent', async () => {
    const { status, html } = await visit('/nowhere?pan=ABCDE1234F<script>');
    expect(status).toBe(404);
    expect(html).not.toContain('<script');
    expect(html).not.toContain('route_not_found');
  });
});

describe('403: a form that no page of ours showed to this browser', () => {
  const form = { mobile: '9876543210' };

  it('is one without a token, and one with a token of another browser', async () => {
    const { headers, html } = await visit('/hosted/link');
    const token = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const cookie = headers.getSetCookie().map((line) => line.split(';')[0]);
    const own = { cookie: cookie.join('; ') };
    const another = await visit('/hosted/link');
    const foreign = another.headers.getSetCookie().map((line) => line.split(';')[0]);
    expect(token).not.toBe('');
    const refused = [
      await visit('/hosted/link', { ...own, form }),
      await visit('/hosted/link', { cookie: foreign.join('; '), form: { ...form, csrf: token } }),
    ];
    for (const page of refused) {
      expect(page.status).toBe(403);
      expect(page.html).toContain('We could not accept this form');
    }
    const { status } = await visit('/hosted/link', { ...own, form: { ...form, csrf: token } });
    expect(status).not.toBe(403);
  });

  it('sets cookies that no script reads and no other site sends', async () => {
    const { headers } = await visit('/hosted/link');
    for (const line of headers.getSetCookie()) {
      expect(line).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$/);
    }
  });
});

describe('what screens are drawn with', () => {
  async function assetsOf(path: string): Promise<string[]> {
    const { html } = await visit(path);
    return [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(
      ([, address = '']) => address,
    );
  }

  it('may be kept forever under its address, which changes with its content', async () => {
    const addresses = await assetsOf('/returned');
    expect(addresses.length).toBeGreaterThanOrEqual(4);
    for (const address of addresses) {
      const response = await fetch(service.baseUrl + address);
      await response.body?.cancel();
      expect([address, response.status]).toEqual([address, 200]);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
  });

  it('comes for a version of another release, too, but is not kept', async () => {
    const response = await fetch(`${service.baseUrl}/assets/screens.css?v=000000000000`);
    await response.body?.cancel();
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('public, max-age=60');
  });

  it.each([
    ['br', 'br'],
    ['gzip, br', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ])('is compressed as the browser takes it: %s', async (accepted, encoding) => {
    const response = await fetch(`${service.baseUrl}/assets/screens.css`, {
      headers: { 'Accept-Encoding': accepted },
    });
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(await response.text()).toContain('--accent-soft:');
  });

  it('is drawn in the operator’s colour, readable in both schemes', async () => {
    const style = await (await fetch(`${service.baseUrl}/assets/brand.css`)).text();
    expect(style).toContain('--accent:#0b5fa5');
    expect(style).toContain('prefers-color-scheme:dark');
  });

  it('shows the operator’s logo as a picture that can run nothing', async () => {
    const response = await fetch(`${service.baseUrl}/assets/brand-logo`);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    );
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    const picture = PNG.sync.read(Buffer.from(await response.arrayBuffer()));
    expect(picture).toMatchObject({ width: 256, height: 256 });
  });

  it.each(['nothing.css', '..%2fviews%2ffault.hbs', '%2e%2e/package.json'])(
    'is nothing else of the server’s: %s',
    async (file) => {
      const response = await fetch(`${service.baseUrl}/assets/${file}`);
      await response.body?.cancel();
      expect(response.status).toBe(404);
    },
  );
});
