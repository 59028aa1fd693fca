import { expect } from 'vitest';
import { GUIDES } from '../../../src/docs-site/guides.js';

interface ApiPaths {
  paths: Record<string, Record<string, { operationId: string }>>;
}

/** The documented calls of a service, by operation id. */
export async function documentedCalls(address: string): Promise<{ path: string; name: string }[]> {
  const { paths } = (await (await fetch(`${address}/openapi.json`)).json()) as ApiPaths;
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.values(item).map(({ operationId }) => ({ path, name: operationId })),
  );
}

/** Every documentation page, by path. */
export async function docsPages(address: string): Promise<Map<string, string>> {
  const calls = await documentedCalls(address);
  const paths = [
    '/docs',
    '/docs/reference',
    '/docs/reference/webhook-events',
    '/docs/search?q=signature',
    ...GUIDES.map(({ slug }) => `/docs/${slug}`),
    ...calls.map(({ name }) => `/docs/reference/${name}`),
  ];
  const pages = paths.map(async (path) => [path, await docsPage(address, path)] as const);
  return new Map(await Promise.all(pages));
}

/** A documentation page, which may load only the service's own scripts. */
export async function docsPage(address: string, path: string): Promise<string> {
  const response = await fetch(address + path);
  expect([path, response.status]).toEqual([path, 200]);
  expect(response.headers.get('content-type')).toContain('text/html');
  expect(response.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; (?!.*unsafe).*; script-src 'self'$/,
  );
  return response.text();
}

/** Every page as Markdown, by path, and the index for language models. */
export async function markdownPages(
  address: string,
  shown: Iterable<string>,
): Promise<Map<string, string>> {
  const paths = [...shown].filter((path) => !path.includes('?')).map((path) => `${path}.md`);
  const pages = [...paths, '/llms.txt'].map(async (path) => {
    const response = await fetch(address + path);
    expect([path, response.status]).toEqual([path, 200]);
    expect(response.headers.get('content-type')).toMatch(/^text\/(markdown|plain); charset=utf-8$/);
    return [path, await response.text()] as const;
  });
  return new Map(await Promise.all(pages));
}

/** Broken links of these pages, fragments included. */
export async function lostLinks(address: string, shown: Map<string, string>): Promise<string[]> {
  const lost: string[] = [];
  const texts = new Map(shown);
  for (const [path, html] of shown) {
    for (const [, href] of html.matchAll(/<a[^>]*\shref="([^"]+)"/g)) {
      if (/^(https?:|mailto:)/.test(href) && !href.startsWith(address)) continue;
      const url = new URL(href.replaceAll('&amp;', '&'), address + path);
      const target = url.pathname + url.search;
      if (!texts.has(target)) {
        const response = await fetch(url);
        // A page that requires signing in exists.
        const isThere = response.ok || response.status === 401;
        const text = await response.text();
        texts.set(target, isThere ? text : '');
      }
      const there = texts.get(target)!;
      const anchor = decodeURIComponent(url.hash.slice(1));
      if (there === '' || (anchor !== '' && !there.includes(`id="${anchor}"`))) {
        lost.push(`${path}: ${href}`);
      }
    }
  }
  return lost;
}
