import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { serviceOfFile } from '../../support/shared-service.js';

const service = serviceOfFile();

async function visit(path: string, headers: Record<string, string> = {}, init: RequestInit = {}) {
  const response = await fetch(service.baseUrl + path, {
    redirect: 'manual',
    headers: { accept: 'text/html', ...headers },
    ...init,
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    bytes,
    text: bytes.toString(),
  };
}

describe('every screen', () => {
  it('forbids storing and framing, and may load nothing from elsewhere', async () => {
    const { headers } = await visit('/returned');
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'permissions-policy': expect.stringContaining('geolocation=()'),
      'content-security-policy':
        "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    });
  });

  it('names the operator, its help and its grievance officer', async () => {
    const { text } = await visit('/returned');
    for (const said of [
      '<title>This step is done – Rinpath</title>',
      'href="tel:18000001200"',
      'Anjali Krishnamurthy',
      'grievance@rinpath.example',
    ])
      expect(text).toContain(said);
  });
});

describe('the language of a screen', () => {
  it('is the one that the browser prefers', async () => {
    for (const [preferred, expected] of [
      ['', 'en'],
      ['ta-IN, hi;q=0.7, en;q=0.5', 'hi'],
      ['ta-IN', 'en'],
    ]) {
      const { text } = await visit('/returned', { 'accept-language': preferred });
      expect(text).toContain(`<html lang="${expected}">`);
    }
  });

  it('is the one chosen on a page, from then on, and the page is the same again; one that there is not changes nothing', async () => {
    const back = '/returned?from=app';
    const choose = (lang: string) =>
      visit('/language', {}, { method: 'POST', body: new URLSearchParams({ lang, back }) });
    const { status, headers } = await choose('hi');
    expect([status, headers.location]).toEqual([303, back]);
    expect(headers['set-cookie']).toMatch(/^lang=hi; .*HttpOnly; SameSite=Lax$/);
    const chosen = { 'accept-language': 'en', cookie: 'lang=hi' };
    expect((await visit('/returned', chosen)).text).toContain('यह चरण पूरा हुआ');
    expect((await choose('xx')).headers).not.toHaveProperty('set-cookie');
    const unknown = await visit('/returned', { cookie: 'lang=xx' });
    expect(unknown.text).toContain('<html lang="en">');
  });
});

it('a failure on a screen is a page in the applicant’s words, with the number to quote and nothing that was sent', async () => {
  const { status, text, headers } = await visit('/nowhere?pan=ABCDE1234F<script>', {
    'accept-language': 'hi',
  });
  expect(status).toBe(404);
  expect(text).toContain('यहाँ कोई पेज नहीं है');
  expect(text).toContain(headers['x-request-id']);
  expect(text).not.toMatch(/<script|route_not_found/);
});

describe('what screens are drawn with', () => {
  it('may be kept forever under its address, which changes with its content; of another release it is not kept', async () => {
    const { text } = await visit('/returned');
    const addresses = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)];
    expect(addresses.length).toBeGreaterThanOrEqual(4);
    const keptOf = async (address: string) => (await visit(address)).headers['cache-control'];
    for (const [, address] of addresses)
      expect(await keptOf(address)).toBe('public, max-age=31536000, immutable');
    expect(await keptOf('/assets/screens.css?v=000000000000')).toBe('public, max-age=60');
  });

  it('is compressed as the browser takes it', async () => {
    for (const [accepted, encoding] of [
      ['gzip, br', 'br'],
      ['gzip', 'gzip'],
      ['identity', undefined],
    ] as const) {
      const { headers, text } = await visit('/assets/screens.css', { 'accept-encoding': accepted });
      expect(headers['content-encoding']).toBe(encoding);
      expect(text).toContain('--accent-soft:');
    }
  });

  it('has the operator’s colour, readable in both schemes, and its logo as a picture that can run nothing; nothing else of the server’s', async () => {
    const style = (await visit('/assets/brand.css')).text;
    expect(style).toContain('--accent:#0b5fa5');
    expect(style).toContain('prefers-color-scheme:dark');
    const { headers, bytes } = await visit('/assets/brand-logo');
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
    });
    expect(PNG.sync.read(bytes)).toMatchObject({ width: 256, height: 256 });
    for (const file of ['nothing.css', '..%2fviews%2ffault.hbs', '%2e%2e/package.json'])
      expect((await visit(`/assets/${file}`)).status).toBe(404);
  });
});
