import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { Browser } from '../../../examples/partner/browser.ts';
import { chooseFirstOffer, hasOffers } from '../../../examples/partner/first-offer.ts';
import { RinpathClient } from '../../../clients/node/src/index.js';
import { clientMethod } from '../../../src/docs-site/call-examples.js';
import { GUIDES } from '../../../src/docs-site/guides.js';
import { projectPath } from '../../../src/platform/index.js';
import { WEBHOOK_EVENTS } from '../../../src/webhooks/index.js';
import { eventuallyFound } from '../../support/eventually.js';
import { inForm } from '../../support/long-form.js';
import { serviceOfFile } from '../../support/shared-service.js';
import { docsPage, docsPages, documentedCalls, lostLinks, markdownPages } from './docs-pages.js';

const service = serviceOfFile();
let folder: string;
let operations: string[];
let pages: Map<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rinpath-docs-'));
  operations = (await documentedCalls(service.baseUrl)).map(({ name }) => name);
  pages = await docsPages(service.baseUrl);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pageOf = (path: string) => docsPage(service.baseUrl, path);

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&' };

const unescaped = (html: string) =>
  html.replaceAll(/&(\w+|#x\w+);/g, (_, name: string) =>
    name.startsWith('#x') ? String.fromCodePoint(parseInt(name.slice(2), 16)) : ENTITIES[name],
  );

/** The code examples of a page, as copied from it. */
function codesOf(html: string): string[] {
  const blocks = html.matchAll(/<pre class="payload"><code>([\s\S]*?)<\/code><\/pre>/g);
  // Without syntax colours.
  return [...blocks].map(([, code]) => unescaped(code.replaceAll(/<\/?span[^>]*>/g, '')));
}

interface RunOptions {
  environment?: object;
  /** Called with the output so far. */
  tell?: (soFar: string) => void;
}

/** The output of a program. @throws Error if it fails */
async function run(command: string, given: string[], options: RunOptions = {}): Promise<string> {
  const child = spawn(command, given, { env: { ...process.env, ...options.environment } });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text: Buffer) => {
    stdout += text.toString();
    options.tell?.(stdout);
  });
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0) throw new Error(`${command} ended with ${String(code)}: ${stderr}`);
  return stdout;
}

function saved(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** Chooses the first offer, agrees and pays. */
async function payInBrowser(redirectUrl: string): Promise<void> {
  const browser = new Browser();
  const offer = await eventuallyFound(async () => {
    const page = await browser.open(redirectUrl);
    return hasOffers(page) ? page : undefined;
  });
  const page = await chooseFirstOffer(browser, offer);
  const payment = await browser.submit(page, page.url.pathname, { hasRead: '1' });
  await browser.press(payment, 'outcome', 'pay');
}

describe('the documentation at /docs', () => {
  it('shows every page of docs/partners', () => {
    const files = readdirSync(projectPath('docs/partners')).map((name) =>
      name.replace(/\.md$/, ''),
    );
    expect(GUIDES.map(({ slug }) => slug).toSorted()).toEqual(files.toSorted());
  });

  it('lists every guide and every call beside each page, the try-it page too, and marks the current one', async () => {
    const tryIt = await (await fetch(`${service.baseUrl}/docs/try`)).text();
    for (const [path, html] of [...pages, ['/docs/try', tryIt] as const]) {
      const [, menu] = html.split('<nav id="pages"');
      const listed = [...menu.split('</nav>')[0].matchAll(/href="([^"]+)"/g)].map(([, to]) => to);
      const wanted = [...pages.keys(), '/docs/try'].filter((one) => !/docs$|\?/.test(one));
      expect([path, listed.toSorted()]).toEqual([path, wanted.toSorted()]);
      const current = [...menu.matchAll(/href="([^"]+)" aria-current="page"/g)].map(([, to]) => to);
      expect([path, current]).toEqual([path, wanted.filter((one) => one === path)]);
    }
  });

  it('has every page as Markdown too, each in /llms.txt, with links that lead to what is there', async () => {
    const markdown = await markdownPages(service.baseUrl, pages.keys());
    const list = markdown.get('/llms.txt')!;
    for (const [path, text] of markdown) {
      expect([path, text.startsWith('# ')]).toEqual([path, true]);
    }
    const listed = [...markdown.keys()].filter((path) => !/docs\.md|llms/.test(path));
    expect(listed.filter((path) => !list.includes(`](${path})`))).toEqual([]);
    const asHtml = [...markdown].map(([path, text]): [string, string] => {
      const prose = text.replaceAll(/^```[\s\S]*?^```/gm, '');
      const links = [...prose.matchAll(/\]\(([^)\s#]+)[^)\s]*\)/g)].map(([, to]) => to);
      return [path, links.map((to) => `<a href="${to}">`).join('')];
    });
    expect(await lostLinks(service.baseUrl, new Map(asHtml))).toEqual([]);
  });

  it('has the OpenAPI document as YAML too', async () => {
    const [yaml, json] = await Promise.all(
      ['/openapi.yaml', '/openapi.json'].map((path) => fetch(service.baseUrl + path)),
    );
    expect(yaml.headers.get('content-type')).toContain('application/yaml');
    expect(parse(await yaml.text())).toEqual(await json.json());
  });

  it('has no page with an inline script or style, or with an address twice', () => {
    for (const [path, html] of pages) {
      expect([path, /<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+="/.test(html)]).toEqual([
        path,
        false,
      ]);
      const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
      expect([path, ids.filter((id, place) => ids.indexOf(id) !== place)]).toEqual([path, []]);
    }
  });

  it('links only what is there, down to the place on the page, and answers 404 for what is not', async () => {
    expect(await lostLinks(service.baseUrl, pages)).toEqual([]);
    for (const path of ['/docs/nothing', '/docs/reference/nothing', '/docs/search.md']) {
      const response = await fetch(service.baseUrl + path);
      expect([path, response.status]).toEqual([path, 404]);
      await response.text();
    }
  });
});

describe('the search', () => {
  it.each([
    ['wrong_step', '/docs/errors#wrong_step'],
    ['SANDX0009A', '/docs/testing#SANDX0009A'],
    ['rotate secret', '/docs/reference/rotateWebhookSecret'],
    ['returnurl', '/docs/hosted-and-headless#returnurl-where-applicants-come-back-to'],
    ['idempotancy', '/docs/errors#idempotency_key_reused'],
  ])('finds %s', async (words, href) => {
    const html = await pageOf(`/docs/search?q=${encodeURIComponent(words)}`);
    const [, list = ''] = html.split('<ul class="rows">');
    const found = [...list.split('</ul>')[0].matchAll(/<a href="([^"]+)"/g)];
    expect(found.map(([, to]) => to)).toContain(href);
  });

  it('bears any question, and shows what was asked as text', async () => {
    const html = await pageOf(`/docs/search?q=${encodeURIComponent('<b>zzqqy</b>')}`);
    expect(html).toContain('Nothing is found');
    expect(html).not.toContain('<b>zzqqy');
    for (const query of ['', '?q=', '?q[]=a&q[]=b', `?q=${'a'.repeat(5_000)}`]) {
      expect(await pageOf(`/docs/search${query}`)).toContain('<h1>Search</h1>');
    }
  });
});

describe('the quick start', () => {
  it('is a page of code that reaches verified webhooks, a payout and an instant loan as it is copied', async () => {
    const code = codesOf(pages.get('/docs/quick-start')!).find((text) =>
      text.includes('createServer'),
    )!;
    let paying: Promise<void> | undefined;
    const printed = await run(process.execPath, [saved('first-loan.mjs', code)], {
      // Vitest sets its own.
      environment: { BASE_URL: undefined },
      tell: (soFar) => {
        const [, redirectUrl] = /open (\S+), choose, agree and pay\n/.exec(soFar) ?? [];
        if (redirectUrl !== undefined) paying ??= payInBrowser(redirectUrl);
      },
    });
    await paying;
    expect(printed).toMatch(/^started: jrn_/m);
    expect(printed).toMatch(/^verified: journey\.offers_received jrn_\w+, now OFFERS_RECEIVED$/m);
    expect(printed).toMatch(/^verified: journey\.completed jrn_\w+, now SANCTIONED$/m);
    expect(printed).toMatch(/^instant loan: SANCTIONED\n$(?![^])/m);
    const page = readFileSync(projectPath('docs/partners/quick-start.md'), 'utf8');
    const said = page.split('```text\n')[1].split('```')[0];
    const words = (text: string) => text.match(/^(your turn|verified): \S+/gm);
    expect(words(printed)?.toSorted()).toEqual(words(said)?.toSorted());
    const example = readFileSync(projectPath('examples/quick-start/first-loan.mjs'), 'utf8');
    expect(page).toContain(`\`\`\`js\n${example}\`\`\``);
  });
});

describe('the reference', () => {
  const environment = () => ({
    BASE_URL: service.baseUrl,
    API_KEY: service.credentials.apiKey,
    API_SECRET: service.credentials.apiSecret,
  });
  const examplesOf = (operationId: string) => codesOf(pages.get(`/docs/reference/${operationId}`)!);

  it('shows of each call six languages, a method of the Node client, its fields, and how it fails', () => {
    const client = new RinpathClient({ baseUrl: service.baseUrl, ...service.credentials });
    for (const operationId of operations) {
      const method = clientMethod(operationId);
      expect([operationId, typeof client[method as keyof RinpathClient]]).toEqual([
        operationId,
        'function',
      ]);
      const [curl, node, python, java, go, php] = examplesOf(operationId);
      expect(curl).toContain('curl -sS');
      expect(node).toContain(`rinpath.${method}(`);
      expect(python).toMatch(/^data = rinpath\.call\(/);
      expect(java).toMatch(/^String data = call\(/);
      expect(go).toMatch(/^data, err := call\(/);
      expect(php).toMatch(/^\$data = call\(/);
      const html = pages.get(`/docs/reference/${operationId}`)!;
      expect(html).toMatch(/<code class="code">x-nonce<\/code> <em>header, required<\/em>/);
      expect(html).toContain('href="/docs/errors#invalid_signature"');
    }
    // A body may have two forms.
    const initiate = pages.get('/docs/reference/initiateJourney')!;
    for (const field of ['loanAmount', 'customer.city', 'goldLoanDetails.grams']) {
      const lines = initiate.split(`<code class="code">${field}</code> <em>`).length - 1;
      expect([field, lines]).toEqual([field, 2]);
    }
    const events = pages.get('/docs/reference/webhook-events')!;
    for (const name of WEBHOOK_EVENTS) {
      expect(events).toContain(`id="${name}"`);
      expect(codesOf(events).filter((text) => text.includes(`"event": "${name}"`))).toHaveLength(1);
    }
  });

  it.each(
    inForm({
      short: ['initiateJourney'],
      long: [
        'listProducts',
        'initiateJourney',
        'registerWebhook',
        'listLeads',
        'listEvents',
        'listWebhooks',
      ],
    }),
  )('has examples of %s that run as they are copied', async (operationId) => {
    const [curl, node, python] = examplesOf(operationId);
    const answer = JSON.parse(
      await run('sh', ['-c', curl], { environment: environment() }),
    ) as object;
    expect(answer).toMatchObject({ success: true });
    const client = projectPath('clients/node/src/index.ts');
    const { apiKey, apiSecret } = service.credentials;
    const options = JSON.stringify({ baseUrl: service.baseUrl, apiKey, apiSecret });
    const inNode = `import { RinpathClient } from ${JSON.stringify(client)};
        const orderId = 'another-order';
        const rinpath = new RinpathClient(${options});
        ${node}
        console.log(JSON.stringify(data));`;
    const data = JSON.parse(
      await run(process.execPath, [saved(`${operationId}.mjs`, inNode)]),
    ) as object;
    const inPython = `import json, sys
sys.path.insert(0, ${JSON.stringify(projectPath('examples/python'))})
from rinpath import Rinpath
order_id = "a-third-order"
rinpath = Rinpath(${JSON.stringify(service.baseUrl)}, "${apiKey}", "${apiSecret}")
${python}
print(json.dumps(data))`;
    const same = JSON.parse(
      await run('python3', ['-B', saved(`${operationId}.py`, inPython)]),
    ) as object;
    expect(Object.keys(same)).toEqual(Object.keys(data));
  });
});
