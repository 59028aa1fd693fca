import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { runCommand } from '../../../clients/node/src/command-line/commands.js';
import { RinpathClient, verifyWebhook } from '../../../clients/node/src/index.js';
import { webhookHeaders } from '../../../clients/node/src/testing.js';
import { projectPath } from '../../../src/platform/index.js';
import { SCENARIOS } from '../../../src/sandbox/index.js';
import { journeyIn } from '../../support/journey-driver.js';
import { PartnerClient } from '../../support/partner-client.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { serviceOfFile } from '../../support/shared-service.js';
import { WebhookReceiver } from '../../support/webhook-receiver.js';
import { Relay } from './relay.js';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const NO_EVENTS = {
  status: 200,
  body: '{"success":true,"data":{"events":[],"next":"evc_0","hasMore":false}}',
};
const AWAY = { status: 503, body: '{"success":false,"error":"Away","code":"service_unavailable"}' };
const POLL_MS = 2_000;

const service = serviceOfFile();
let receiver: WebhookReceiver;
let client: RinpathClient;
let partner: PartnerClient;
let folder: string;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  const options = { ...service.credentials, baseUrl: service.baseUrl };
  client = new RinpathClient(options);
  partner = new PartnerClient(options);
  folder = scratchFolder('command-line');
});

beforeEach(() => receiver.reset());

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await receiver.stop();
});

/** A command that runs in this process. */
class Run {
  readonly out: string[] = [];
  readonly errors: string[] = [];
  readonly waits: number[] = [];
  readonly code: Promise<number>;
  private readonly stopping = new AbortController();

  constructor(args: readonly string[], { env = {}, input = '' } = {}) {
    const { signal } = this.stopping;
    const { apiKey, apiSecret } = service.credentials;
    this.code = runCommand(args, {
      env: {
        RINPATH_BASE_URL: service.baseUrl,
        RINPATH_API_KEY: apiKey,
        RINPATH_API_SECRET: apiSecret,
        ...env,
      },
      signal,
      print: (line) => this.out.push(line),
      warn: (line) => this.errors.push(line),
      wait: async (milliseconds) => {
        this.waits.push(milliseconds);
        await sleep(5, undefined, { signal });
      },
      readInput: () => Promise.resolve(Buffer.from(input)),
    });
  }

  get text(): string {
    return [...this.out, ...this.errors].join('\n');
  }

  /** The cursor that the command printed last. */
  get cursor(): string {
    return /--after (evc_\S+)/.exec(this.text)![1];
  }

  get polls(): number {
    return this.waits.filter((milliseconds) => milliseconds === POLL_MS).length;
  }

  async stop(): Promise<number> {
    this.stopping.abort();
    return this.code;
  }
}

async function ended(...args: ConstructorParameters<typeof Run>): Promise<Run & { exit: number }> {
  const run = new Run(...args);
  return Object.assign(run, { exit: await run.code });
}

/** Waits until all events so far are forwarded. */
async function caughtUp(listener: Run): Promise<void> {
  const before = listener.polls;
  await expect.poll(() => listener.polls).toBeGreaterThan(before + 1);
}

/** Its events are `journey.initiated` and `journey.offers_received`. */
async function journeyWithOffers(): Promise<string> {
  return (await journeyIn(partner, 'OFFERS_RECEIVED')).id;
}

describe('listen', () => {
  let listener: Run;

  /** Starts `listen`, from now on unless `args` say otherwise. */
  async function listening(args: string[] = [], env: object = {}): Promise<Run> {
    const command = ['listen', '--forward-to', receiver.url(), ...args];
    listener = new Run(command, { env: { RINPATH_WEBHOOK_SECRET: SECRET, ...env } });
    await expect.poll(() => listener.text).toMatch(/Forwarding|Error/);
    return listener;
  }

  afterEach(() => listener.stop());

  it('forwards a new event with the bytes and headers of a real delivery', async () => {
    const real = await WebhookReceiver.start();
    try {
      await journeyWithOffers();
      const { subscriptionId } = await client.registerWebhook({ url: real.url() });
      await listening();
      const journeyId = await journeyWithOffers();
      const mine = (text: Buffer) => text.includes(journeyId);
      const delivery = await real.waitFor(({ body }) => mine(body));
      const { body, headers } = await receiver.waitFor(({ body: own }) =>
        own.equals(delivery.body),
      );
      expect(receiver.deliveries.every((one) => mine(one.body))).toBe(true);
      expect(verifyWebhook(body, headers, SECRET).body).toMatchObject({ journeyId });
      const sameInBoth = ['user-agent', 'content-type', 'x-rinpath-event', 'x-rinpath-event-id'];
      for (const name of sameInBoth) expect(headers[name]).toBe(delivery.headers[name]);
      const signed = Object.keys(delivery.headers).filter((name) => /^(x-|webhook-)/.test(name));
      expect(Object.keys(headers)).toEqual(expect.arrayContaining(signed));
      await expect.poll(() => listener.text).toContain(`journey.initiated ${journeyId}: 200`);
      expect(await listener.stop()).toBe(0);
      await client.deleteWebhook(subscriptionId);
    } finally {
      await real.stop();
    }
  });

  it('prints a new secret once, and no given one', async () => {
    await listening([], { RINPATH_WEBHOOK_SECRET: '' });
    await journeyWithOffers();
    const { body, headers } = await receiver.waitForEvent('journey.initiated');
    await listener.stop();
    const [secret, ...more] = listener.text.match(/whsec_\S+/g)!;
    expect(verifyWebhook(body, headers, secret).id).toMatch(/^evt_/);
    expect(more).toEqual([]);
    await listening(['--secret', SECRET], { RINPATH_WEBHOOK_SECRET: '' });
    await listener.stop();
    expect(listener.text).not.toContain('whsec_');
    expect(listener.text).not.toContain(service.credentials.apiSecret);
  });

  it('sends an event again after growing waits of at most 30 seconds, and none out of order', async () => {
    await listening();
    receiver.answerNext(500, { status: 302, headers: { location: receiver.url('/other') } });
    receiver.answerNext({ hangUp: true }, 500, 500, 500, 429);
    const journeyId = await journeyWithOffers();
    await receiver.waitForCount(9);
    await caughtUp(listener);
    await listener.stop();
    const sent = receiver.deliveries.map((one) => [
      one.json().event,
      Number(one.headers['x-rinpath-attempt']),
    ]);
    const first = Array.from({ length: 8 }, (_, place) => ['journey.initiated', place + 1]);
    expect(sent).toEqual([...first, ['journey.offers_received', 1]]);
    const waits = [...listener.text.matchAll(/; retrying in (\S+) s/g)].map(([, wait]) => wait);
    expect(waits).toEqual(['1', '2', '4', '8', '16', '30', '30']);
    expect(listener.waits).toEqual(expect.arrayContaining([1_000, 16_000, 30_000]));
    const lines = [...listener.text.matchAll(/journey\.\w+ (jrn_\w+): (.+)/g)];
    expect(lines.map(([, id, result]) => [id, result.slice(0, 4)])).toEqual(
      ['500;', '302;', 'no r', '500;', '500;', '500;', '429;', '200', '200'].map((result) => [
        journeyId,
        result,
      ]),
    );
  });

  it('waits five seconds for the receiver, as a real delivery does', async () => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const limit = vi.spyOn(AbortSignal, 'timeout');
    limit.mockImplementation((ms) => timeout(ms === 5_000 ? 5 : ms));
    await listening();
    receiver.answerNext({ stall: true, delayMs: 60_000 });
    await journeyWithOffers();
    await receiver.waitForEvent('journey.offers_received');
    expect(listener.text).toMatch(/: no response \(.*timeout\); retrying in 1 s/);
  });

  it('continues after the cursor that it printed, though the receiver had failed', async () => {
    await journeyWithOffers();
    await listening();
    receiver.answerAlways(500);
    const journeyId = await journeyWithOffers();
    await receiver.waitForCount(2);
    expect(await listener.stop()).toBe(0);
    receiver.reset();
    await listening(['--after', listener.cursor]);
    await receiver.waitForEvent('journey.offers_received');
    await caughtUp(listener);
    await listener.stop();
    // The stopped attempt may arrive late.
    const received = receiver.deliveries
      .filter(({ headers }) => headers['x-rinpath-attempt'] === '1')
      .map((one) => one.json());
    expect(received.map((one) => [one.journeyId, one.sequence])).toEqual([
      [journeyId, 1],
      [journeyId, 2],
    ]);
    receiver.reset();
    await listening(['--after', listener.cursor]);
    await caughtUp(listener);
    expect(receiver.deliveries).toEqual([]);
  });

  it('starts at a time, with the events that are named', async () => {
    await journeyWithOffers();
    const since = service.now().toISOString();
    const journeyId = await journeyWithOffers();
    await listening(['--since', since, '--events', 'journey.offers_received']);
    await caughtUp(listener);
    const received = receiver.deliveries.map((one) => one.json());
    expect(received.map((one) => [one.journeyId, one.sequence])).toEqual([[journeyId, 2]]);
  });

  it('prints no cursor when it is stopped before it has one', async () => {
    const relay = await Relay.before(service.baseUrl);
    try {
      relay.next(NO_EVENTS, ...Array.from({ length: 100 }, () => AWAY));
      await listening(['--since', service.now().toISOString()], { RINPATH_BASE_URL: relay.url });
      await expect.poll(() => listener.errors.length).toBeGreaterThan(0);
      expect(await listener.stop()).toBe(0);
      expect(listener.text).not.toContain('--after');
    } finally {
      await relay.stop();
    }
  });

  it('survives an outage of the API, and says so', async () => {
    const relay = await Relay.before(service.baseUrl);
    try {
      await listening([], { RINPATH_BASE_URL: relay.url });
      relay.next(...Array.from({ length: 8 }, () => AWAY));
      await expect.poll(() => listener.errors.length).toBe(8);
      expect(listener.errors).toContain('Warning: Away; retrying in 30 s.');
      await journeyWithOffers();
      await receiver.waitForEvent('journey.initiated');
      await listener.stop();
    } finally {
      await relay.stop();
    }
  });

  it.each([
    [{ RINPATH_API_SECRET: 'rinpath_secret_test_other' }, 'Check RINPATH_API_KEY and'],
    [{ RINPATH_API_SECRET: '' }, 'Error: Set RINPATH_API_SECRET to the secret of your key'],
    [{ RINPATH_BASE_URL: 'http://127.0.0.1:9' }, 'Start the service, or correct RINPATH_BASE_URL.'],
    [{ RINPATH_BASE_URL: 'localhost' }, '(RINPATH_BASE_URL) must be an address such as'],
    [{ RINPATH_WEBHOOK_SECRET: 'whsec_short' }, 'Error: The secret is incomplete'],
  ])('ends with what to change: %o', async (env, sentence) => {
    await listening([], env);
    expect(await listener.code).toBe(1);
    expect(listener.text).toContain(sentence);
    expect(listener.text).not.toContain('Forwarding');
    expect(listener.text).not.toContain('secret_test');
  });

  it('refuses a cursor of another service', async () => {
    await listening(['--after', 'evc_other']);
    expect(await listener.code).toBe(1);
    expect(listener.text).toContain('after must be `next` from an earlier response');
    expect(listener.text).not.toContain('Forwarding');
  });
});

it('ends without an error when it is stopped before the API has answered', async () => {
  receiver.answerAlways({ stall: true });
  const url = new URL(receiver.url()).origin;
  const run = new Run(['listen', '--forward-to', url], { env: { RINPATH_BASE_URL: url } });
  await receiver.waitForCount(1);
  expect([await run.stop(), run.text]).toEqual([0, '']);
}, 10_000);

it('ends at Ctrl-C with exit code 0 and the cursor, as a process', async () => {
  const file = projectPath('clients/node/src/cli.ts');
  const child = spawn(process.execPath, [file, 'listen', '--forward-to', receiver.url()], {
    env: {
      ...process.env,
      RINPATH_BASE_URL: service.baseUrl,
      RINPATH_API_KEY: service.credentials.apiKey,
      RINPATH_API_SECRET: service.credentials.apiSecret,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const ending = once(child, 'exit');
  try {
    await expect.poll(() => text).toContain('Forwarding events');
  } finally {
    child.kill('SIGINT');
  }
  expect(await ending).toEqual([0, null]);
  expect(text).toMatch(/Stopped\. To continue here, use --after evc_\S+\n$/);
});

describe('sign', () => {
  /** Sends the call that `sign --curl` printed, as curl does. */
  function sent(command: string): Promise<Response> {
    const words = [...command.matchAll(/'((?:[^']|'\\'')*)'/g)];
    const [url, ...rest] = words.map(([, word]) => word.replaceAll(String.raw`'\''`, "'"));
    const body = command.includes('--data-raw') ? rest.pop() : undefined;
    const headers = rest.map((line) => line.split(/: (.*)/s).slice(0, 2));
    const [, method] = /^curl -X (\w+) /.exec(command)!;
    return fetch(url, { method, headers: Object.fromEntries(headers), ...(body && { body }) });
  }

  it('prints headers that the API accepts', async () => {
    const target = '/api/v1/partner/leads?limit=1';
    const { out, exit } = await ended(['sign', 'get', target]);
    const headers = Object.fromEntries(out.map((line) => line.split(': ')));
    const response = await fetch(service.baseUrl + target, { headers });
    expect([exit, response.status]).toEqual([0, 200]);
    expect(out.join('\n')).not.toContain(service.credentials.apiSecret);
  });

  it('prints a curl command with the body of standard input, quotes and all', async () => {
    const input = '{ "url": "http://127.0.0.1:9/it\'s/अ" }\n';
    const command = ['sign', 'POST', '/api/v1/partner/webhooks', '--body', '-', '--curl'];
    const { text } = await ended(command, { input });
    expect((await sent(text)).status).toBe(200);
  });

  it('signs the bytes of a file', async () => {
    const file = join(folder, 'body.json');
    writeFileSync(file, '{"url":"http://127.0.0.1:9/file"}');
    const target = '/api/v1/partner/webhooks';
    const { out, text } = await ended(['sign', 'POST', target, '--body', file, '--curl']);
    expect(text).toContain(`--data-binary '@${file}'`);
    const inline = out[0].replace(
      /--data-binary .*/,
      `--data-raw '{"url":"http://127.0.0.1:9/file"}'`,
    );
    expect((await sent(inline)).status).toBe(200);
  });

  it.each([
    [['sign', 'GET', 'http://localhost/x'], 'Give the method and the path without the host'],
    [['sign', 'GET', '/a b'], 'Write the path as it is sent: /a%20b'],
    [
      ['sign', 'POST', '/a', '--body', '/nothing/here'],
      '--body must be a readable file, or - for standard input: ENOENT',
    ],
    [['sign', 'GET', '/a', '--colour'], "Unknown option '--colour'. See rinpath --help."],
    [['sgin'], 'There is no command sgin. See rinpath --help.'],
  ])('says what to change: %j', async (args, sentence) => {
    const { exit, errors } = await ended(args);
    expect(exit).toBe(1);
    expect(errors.join()).toContain(sentence);
  });
});

describe('verify', () => {
  const body = '{"id":"evt_1","event":"journey.completed"}';
  const headers = webhookHeaders({ body, secret: SECRET });
  const own = ['--signature', headers['x-rinpath-signature']];
  const standardOf = (given: Record<string, string>) => [
    '--signature',
    given['webhook-signature'],
    '--id',
    'evt_1',
    '--timestamp',
    given['webhook-timestamp'],
  ];
  const standard = standardOf(headers);
  const old = standardOf(webhookHeaders({ body, secret: SECRET, timestamp: 1_767_225_600 }));
  const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;

  it.each([
    ['valid', own, body, SECRET, 'OK: the signature is valid.'],
    ['valid', standard, body, SECRET, 'OK: the signature is valid.'],
    ['another secret', own, body, other, 'Error: No signature matches'],
    ['another secret', standard, body, other, 'Error: No signature matches'],
    ['an altered body', own, body.replace('1', '2'), SECRET, 'Error: No signature matches'],
    ['spaces', own, body.replace(':', ': '), SECRET, 'parsed and serialised again'],
    ['spaces', standard, body.replace(':', ': '), SECRET, 'parsed and serialised again'],
    ['another time', [...standard.slice(0, -1), '1'], body, SECRET, 'Error: No signature matches'],
    ['old', old, body, SECRET, 'Error: The signature is valid, but'],
    ['no id', standard.slice(0, 2), body, SECRET, 'Error: Give --signature with'],
    ['no secret', own, body, '', 'Error: Give --secret, or set RINPATH_WEBHOOK_SECRET.'],
  ])('says whether a webhook is valid: %s', async (_, args, input, secret, sentence) => {
    const env = { RINPATH_WEBHOOK_SECRET: secret, RINPATH_API_KEY: '' };
    const { exit, text } = await ended(['verify', ...args], { env, input });
    expect([exit, text]).toEqual([
      sentence.startsWith('OK') ? 0 : 1,
      expect.stringContaining(sentence),
    ]);
  });
});

describe('trigger', () => {
  it('lists every scenario of the sandbox', async () => {
    const { out } = await ended(['trigger', '--list']);
    const listed = out.map((line) => line.split(/ {2,}/));
    expect(listed).toEqual(SCENARIOS.map(({ name, happens }) => [name, happens]));
    expect(new Set(SCENARIOS.map(({ name }) => name)).size).toBe(SCENARIOS.length);
  });

  it.each(SCENARIOS)('starts $name', async ({ name, starts, lookAt }) => {
    const { exit, text } = await ended(['trigger', name]);
    expect([exit, text]).toEqual([0, expect.stringContaining(lookAt)]);
    const link = /page: (\S+)/.exec(text)![1];
    expect((await fetch(link)).status).toBe(200);
    const applicationId = /app_\w+/.exec(text)![0];
    const { leads } = await client.listLeads({ applicationId });
    const loanTypes = {
      JOURNEY: 'ONLINE_PERSONAL',
      GOLD_LOAN: 'ONLINE_GOLD',
      INSTANT_LOAN: 'ONLINE_INSTANT',
    };
    expect(leads.map(({ loanType }) => loanType)).toEqual([loanTypes[starts]]);
  });

  it('has the result that the scenario names', async () => {
    const { text } = await ended(['trigger', 'instant-loan-every-lender-declines']);
    const applicationId = /app_\w+/.exec(text)![0];
    const status = async () => (await client.readLeadStatus(applicationId)).status;
    await expect.poll(status).toBe('REJECTED');
  });

  it.each([
    [['trigger', 'nothing'], {}, 'rinpath trigger --list has them'],
    [['trigger', 'gold-loan-approved'], { RINPATH_API_KEY: 'rinpath_live_x' }, 'use a test key'],
  ])('says what to change: %j %o', async (args, env, sentence) => {
    const { exit, errors } = await ended(args, {
      env: { RINPATH_BASE_URL: 'http://127.0.0.1:9', ...env },
    });
    expect([exit, errors.join()]).toEqual([1, expect.stringContaining(sentence)]);
  });
});

it('has a short help', async () => {
  const { exit, out } = await ended(['listen', '--help']);
  expect(exit).toBe(0);
  expect(out[0].split('\n').length).toBeLessThan(25);
  for (const name of ['listen', 'sign', 'verify', 'trigger'])
    expect(out[0]).toContain(`\n${name} `);
});
