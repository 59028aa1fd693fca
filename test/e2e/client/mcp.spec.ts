import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { hidden } from '../../../clients/mcp/src/hidden.js';
import { createServer } from '../../../clients/mcp/src/server.js';
import { readSettings, type Settings } from '../../../clients/mcp/src/settings.js';
import { RinpathClient, RinpathError } from '../../../clients/node/src/index.js';
import { webhookHeaders } from '../../../clients/node/src/testing.js';
import { Database, projectPath } from '../../../src/platform/index.js';
import { SCENARIOS } from '../../../src/sandbox/index.js';
import { eventually } from '../../support/eventually.js';
import { loanRequest } from '../../support/loan-requests.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';

type Given = Record<string, unknown>;

interface Said {
  readonly text: string;
  readonly isError: boolean;
}

const TOOLS = [
  'explain_failed_call',
  'list_products',
  'move_time',
  'read_journey',
  'search_documents',
  'start_scenario',
  'verify_webhook',
];
/** Without reserved PANs, which belong to no person. */
const PAN = /(?<![a-z0-9])(?!SANDX)[a-z]{5}\d{4}[a-z](?![a-z0-9])/i;
const MOBILE = /(?<!\w)[6-9]\d{9}(?!\w)/;

let service: TestService;
let partner: RinpathClient;
let receiver: WebhookReceiver;
let webhookSecret: string;
let settings: Settings;
let agent: Client;
/** Every output of the tools in this file. */
const all: string[] = [];

async function connected(given: Settings): Promise<Client> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await createServer(given).connect(theirs);
  const client = new Client({ name: 'spec', version: '1' });
  await client.connect(ours);
  return client;
}

async function say(name: string, given: Given, client = agent): Promise<Said> {
  const { content, isError } = await client.callTool({ name, arguments: given });
  const [first] = content;
  const text = first?.type === 'text' ? first.text : '';
  all.push(text);
  return { text, isError: isError ?? false };
}

async function answer<Answer>(name: string, given: Given): Promise<Answer> {
  const { text, isError } = await say(name, given);
  expect([isError, text]).toEqual([false, text]);
  return JSON.parse(text) as Answer;
}

/** Retries, since a call is logged a moment after its response. */
function explained(requestId: string) {
  return eventually(async () => {
    const { text, isError } = await say('explain_failed_call', { requestId });
    if (isError) throw new Error(text);
    return JSON.parse(text) as Record<'call' | 'code' | 'whatToDo' | 'docs', string> & Given;
  });
}

async function refused(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(RinpathError);
  return (error as RinpathError).requestId!;
}

beforeAll(async () => {
  service = await sharedService();
  receiver = await WebhookReceiver.start();
  const { baseUrl, credentials } = service;
  partner = new RinpathClient({ baseUrl, ...credentials });
  ({ secret: webhookSecret } = await partner.registerWebhook({
    url: receiver.url('/hooks/way-in'),
  }));
  settings = readSettings({
    RINPATH_BASE_URL: `${baseUrl}/`,
    RINPATH_API_KEY: credentials.apiKey,
    RINPATH_API_SECRET: credentials.apiSecret,
    RINPATH_WEBHOOK_SECRET: webhookSecret,
  });
  agent = await connected(settings);
});

afterAll(() => receiver.stop());

describe('the MCP server', () => {
  it('has the seven tools, each described, and says which ones change nothing', async () => {
    const { tools } = await agent.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual(TOOLS);
    const changing = tools.filter(({ annotations }) => !annotations?.readOnlyHint);
    expect(changing.map(({ name }) => name)).toEqual(['start_scenario', 'move_time']);
  });

  it('lists the products of the key', async () => {
    const { products } = await answer<{ products: unknown[] }>('list_products', {});
    expect(products).toEqual((await partner.listProducts()).products);
  });

  it('starts a journey whose link opens, and reads it with what happened', async () => {
    receiver.answerAlways({ status: 500, body: webhookSecret });
    const started = await answer<Record<'journeyId' | 'applicationId' | 'link', string>>(
      'start_scenario',
      { scenario: 'journey-kyc-refused' },
    );
    expect((await fetch(started.link)).status).toBe(200);
    await receiver.waitForEvent('journey.initiated');
    const text = await eventually(async () => {
      const said = await say('read_journey', { journeyId: started.journeyId });
      expect(said.text).toMatch(/journey\.initiated, attempt 1: 500/);
      expect(said.text).toMatch(/POST \/journey\/initiate: 200/);
      return said.text;
    });
    expect(text).toContain(started.applicationId);
    expect(text).toContain('Hosted link made');
    // No secret of the receiver's address or response is shown.
    expect(text).toContain('Answered: (secret hidden)');
    expect(text).toContain('http://127.0.0.1');
    expect(text).not.toContain('way-in');
    expect(text).not.toContain('apiVersion');
    expect(text).not.toContain(started.link);
  });

  it.each(SCENARIOS)('starts $name', async ({ name, starts, lookAt }) => {
    const { applicationId, next } = await answer<Record<'applicationId' | 'next', string>>(
      'start_scenario',
      { scenario: name },
    );
    expect(next).toContain(lookAt);
    const { leads } = await partner.listLeads({ applicationId });
    const isGold = leads.map(({ loanType }) => loanType === 'ONLINE_GOLD');
    expect(isGold).toEqual([starts === 'GOLD_LOAN']);
  });

  it('starts an instant loan with the outcome of its name', async () => {
    const { applicationId } = await answer<{ applicationId: string }>('start_scenario', {
      scenario: 'instant-loan-payment-fails',
    });
    const paid = await eventually(() =>
      partner.paySandboxInstantLoan(applicationId, { outcome: 'PAID' }),
    );
    expect(paid.outcome).toBe('FAILED');
  });

  it('opens another session of the workbench when its own is over', async () => {
    const { journeyId } = await partner.initiateJourney(loanRequest() as never);
    const client = await connected(settings);
    expect((await say('read_journey', { journeyId }, client)).isError).toBe(false);
    await service
      .get<Database>(Database)
      .query('DELETE FROM workbench_sessions WHERE partner_id = $1', [service.partnerId]);
    expect((await say('read_journey', { journeyId }, client)).text).toContain('API_HEADLESS');
  });

  it('reads a headless journey without its session', async () => {
    const { journeyId } = await partner.initiateJourney(loanRequest() as never);
    const { text } = await say('read_journey', { journeyId });
    expect(text).toMatch(/API_HEADLESS/);
  });

  it('explains a refused signature', async () => {
    const stranger = new RinpathClient({ ...settings, apiSecret: settings.apiKey });
    const requestId = await refused(stranger.listProducts());
    const { call, code, whatToDo, docs } = await explained(requestId);
    expect(call).toMatch(/Why the signature was refused/);
    expect(call).toMatch(/API_KEY_AS_SECRET/);
    expect([code, whatToDo]).toEqual(['invalid_signature', expect.stringMatching(/clock/)]);
    expect(docs).toBe(`${service.baseUrl}/docs/errors#invalid_signature`);
  });

  it('explains invalid fields without their values', async () => {
    const requestId = await refused(
      partner.initiateJourney({ ...(loanRequest() as object), mobile: '12' } as never),
    );
    const { code, message, note } = await explained(requestId);
    expect([code, message]).toEqual(['validation_failed', 'Validation failed']);
    expect(note).toMatch(/details/);
  });

  it('explains no call of another partner', async () => {
    const other = await sharedService();
    const client = new RinpathClient({ baseUrl: other.baseUrl, ...other.credentials });
    const requestId = await refused(client.readJourney('jrn_none'));
    // The partner's own failed call is logged by now, so the other one is, too.
    await explained(await refused(partner.readJourney('jrn_none')));
    const { text, isError } = await say('explain_failed_call', { requestId });
    expect([isError, text]).toEqual([true, expect.stringMatching(/^No call of this partner/)]);
  });

  it('moves time, and returns the service’s refusal as a tool error', async () => {
    const { hasArrived } = await answer<Given>('move_time', { advanceSeconds: 1 });
    expect(hasArrived).toBe(true);
    const past = await say('move_time', { to: '2001-01-01T00:00:00Z' });
    expect(past.isError).toBe(true);
    expect(JSON.parse(past.text)).toMatchObject({
      code: 'validation_failed',
      details: [{ field: 'to' }],
    });
  });

  it('verifies a webhook, and names the mistake in one that is not authentic', async () => {
    const body = JSON.stringify({ id: 'evt_1', event: 'journey.completed' });
    const headers = webhookHeaders({ body, secret: webhookSecret });
    const good = await answer<Given>('verify_webhook', { body, headers });
    expect(good).toMatchObject({ isValid: true, id: 'evt_1', event: 'journey.completed' });
    const { text, isError } = await say('verify_webhook', { body: `${body} `, headers });
    expect(isError).toBe(true);
    expect(JSON.parse(text)).toMatchObject({ isValid: false, mistake: 'BODY_WRITTEN_ANEW' });
    const without = await connected({ ...settings, webhookSecret: undefined });
    const unset = await say('verify_webhook', { body, headers }, without);
    expect(unset.text).toMatch(/^Set RINPATH_WEBHOOK_SECRET/);
  });

  it.each(['validation_failed', 'move time', 'SANDX0005A'])(
    'finds %s in the documents, at addresses that exist',
    async (query) => {
      const found = await answer<Record<'address' | 'title' | 'excerpt', string>[]>(
        'search_documents',
        { query },
      );
      expect(found.length).toBeGreaterThan(0);
      expect(found[0].title.toLowerCase()).toContain(query.split(' ')[0].toLowerCase());
      for (const { address, excerpt } of found) {
        const { pathname, hash } = new URL(address);
        const page = await (await fetch(service.baseUrl + pathname)).text();
        expect([address, hash === '' || page.includes(`id="${hash.slice(1)}"`)]).toEqual([
          address,
          true,
        ]);
        expect(excerpt).not.toMatch(/<\w|&\w+;/);
      }
    },
  );

  it.each([
    ['read_journey', { journeyId: '../requests' }],
    ['read_journey', { journeyId: `jrn_${'0'.repeat(32)}/../x` }],
    ['explain_failed_call', { requestId: 'a&status=4xx' }],
    ['start_scenario', { scenario: 'toString' }],
    ['start_scenario', { scenario: 'journeyPasses' }],
    ['move_time', {}],
    ['move_time', { advanceSeconds: 1, to: '2999-01-01T00:00:00Z' }],
    ['verify_webhook', { body: '{}', headers: {} }],
    ['search_documents', {}],
  ])('refuses %s with %j before it calls the service', async (name, given) => {
    const client = await connected({ ...settings, baseUrl: 'http://127.0.0.1:9' });
    const { text, isError } = await say(name, given, client);
    expect([isError, text]).toEqual([true, expect.stringMatching(/^Input validation error/)]);
  });

  it('says which service did not answer', async () => {
    const client = await connected({ ...settings, baseUrl: 'http://127.0.0.1:9' });
    const { text, isError } = await say('move_time', { advanceSeconds: 1 }, client);
    expect([isError, text]).toEqual([true, expect.stringMatching(/^No response to POST/)]);
  });
});

describe('a live key', () => {
  const live = (text: string) => text.replace('test', 'live');

  it('ends the start of the packaged server, which serves with a sandbox key', async () => {
    const folder = scratchFolder('mcp');
    try {
      const file = join(folder, 'main.js');
      const root = projectPath('.');
      execFileSync('npm', ['run', '-s', 'mcp:build', '--', '--file', file], { cwd: root });
      const env = {
        RINPATH_BASE_URL: settings.baseUrl,
        RINPATH_API_KEY: settings.apiKey,
        RINPATH_API_SECRET: settings.apiSecret,
      };
      const args = [file];
      const transport = new StdioClientTransport({ command: process.execPath, args, env });
      const newest = { versionNegotiation: { mode: 'auto' } } as const;
      const client = new Client({ name: 'spec', version: '1' }, newest);
      await client.connect(transport);
      try {
        expect((await say('list_products', {}, client)).text).toContain('ONLINE_PERSONAL');
      } finally {
        await client.close();
      }
      const ended = () =>
        execFileSync(process.execPath, args, {
          env: { ...env, RINPATH_API_KEY: live(settings.apiKey) },
          stdio: 'pipe',
          encoding: 'utf8',
        });
      expect(ended).toThrow(/Error: RINPATH_API_KEY belongs to a live key\./);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it.each([
    ['RINPATH_BASE_URL', 'localhost'],
    ['RINPATH_BASE_URL', 'file:///etc/passwd'],
    ['RINPATH_API_SECRET', ' '],
    ['RINPATH_API_SECRET', 'rinpath_secret_live_x'],
    ['RINPATH_API_KEY', 'rinpath_live_x'],
    ['RINPATH_API_KEY', 'anything'],
  ])('like a bad %s (%j) is named by the settings', (name, value) => {
    const environment = {
      RINPATH_BASE_URL: settings.baseUrl,
      RINPATH_API_KEY: settings.apiKey,
      RINPATH_API_SECRET: settings.apiSecret,
    };
    expect(() => readSettings({ ...environment, [name]: value })).toThrow(name);
  });
});

describe('what the tools say', () => {
  it('had no secret, PAN or mobile number in any answer of this file', async () => {
    await say('search_documents', { query: 'YOUR_API_SECRET mobile pan' });
    await say('search_documents', { query: '9876543210' });
    await say('search_documents', { query: 'whsec' });
    expect(all.length).toBeGreaterThan(50);
    for (const text of all) {
      for (const secret of [settings.apiSecret, settings.apiKey, webhookSecret]) {
        expect(text).not.toContain(secret);
      }
      expect(text).not.toMatch(PAN);
      expect(text).not.toMatch(MOBILE);
      expect(text).not.toMatch(/whsec_\w{20}/);
    }
  });

  it('hides them wherever they are, and keeps ids', () => {
    const id = `jrn_${randomUUID().replaceAll('-', '')}`;
    const pan = fc.stringMatching(/^[A-RT-Z][A-Z]{4}\d{4}[A-Z]$/);
    const mobile = fc.stringMatching(/^(\+91|91|0)?[6-9]\d{9}$/);
    const key = fc.stringMatching(/^[a-z]{2,9}_(secret_)?(test|live)_\w{36,43}$/);
    const webhook = fc.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const around = fc.constantFrom(' ', '"', ',', '\n', ': ', '(', '/');
    fc.assert(
      fc.property(fc.oneof(pan, mobile, key, webhook), around, around, (found, left, right) => {
        const said = hidden(`${id}${left}${found}${right}${id}`);
        expect(said).not.toContain(found);
        expect(said.split(id)).toHaveLength(3);
      }),
    );
    expect(hidden('SANDX0005A')).toBe('SANDX0005A');
  });
});
