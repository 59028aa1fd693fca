// Isolated: starts commands on an empty database.
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { projectPath } from '../../../src/platform/index.js';
import {
  runAdmin,
  runAdminWith,
  runCommand,
  runInProduction,
} from '../../support/admin-command.js';
import { productionConfiguration } from '../../support/production-configuration.js';
import { shippedConfiguration } from '../../support/shipped-configuration.js';
import { createEmptyDatabase, type TestDatabase } from '../../support/test-database.js';

const directory = mkdtempSync(join(tmpdir(), 'rinpath-command-line-'));
const shipped = projectPath('config/sandbox.yaml');
const { version } = parse(readFileSync(shipped, 'utf8')) as { version: number };

let database: TestDatabase;

beforeAll(async () => {
  database = await createEmptyDatabase();
  // The first command finds no schema, as on a new installation.
  const { code, error } = await run('config', 'apply', shipped);
  if (code !== 0) throw new Error(error);
});

afterAll(async () => {
  await database.drop();
  rmSync(directory, { recursive: true });
});

function run(...parameters: string[]) {
  return runAdminWith({ CONFIG_FILE: shipped }, database.url, ...parameters);
}

const ISSUE = [
  'keys',
  'issue',
  '--scopes',
  'leads:read, products:read',
  '--products',
  'ONLINE_GOLD',
];

async function issue(name: string): Promise<{ id: string; secret: string; apiKey: string }> {
  const { out } = await run(...ISSUE, '--partner', 'demo', '--name', name);
  const word = (label: string) => new RegExp(`^${label} +(\\S+)$`, 'm').exec(out)?.[1] ?? '';
  return { id: word('Key'), apiKey: word('API key'), secret: word('Secret') };
}

describe('config', () => {
  it('apply says whether there was anything to do', async () => {
    const { code, out } = await run('config', 'apply');
    expect({ code, out }).toEqual({
      code: 0,
      out: `OK: ${shipped} (version ${version}) was already in force.`,
    });
  });

  it('diff shows what apply then changes, changes nothing itself, and names who works outside the file', async () => {
    const own = await createEmptyDatabase();
    try {
      const config = (verb: 'apply' | 'diff', file: string) =>
        runAdmin(own.url, 'config', verb, file);
      expect((await config('apply', shipped)).out).toMatch(
        /\n- the first configuration: products: \d/,
      );
      const given = parse(shippedConfiguration()) as { partners: { id: string }[] };
      const file = join(directory, 'changed.yaml');
      const [first, other] = given.partners;
      const write = (changes: object) => {
        const partners = [{ ...first, alertEmails: ['on-call@other.example'], ...changes }];
        writeFileSync(file, JSON.stringify({ ...given, version: version + 1, partners }));
      };
      write({});
      const [title, ...different] = (await config('diff', file)).out.split('\n');
      expect(title).toBe(`OK: applying ${file} (version ${version + 1}) would change:`);
      for (const line of [
        `- configuration: fileVersion: ${version} → ${version + 1}`,
        `- partner ${first.id}: alertEmails[0]: none → "on-call@other.example"`,
        expect.stringMatching(`^Warning: partner ${other.id} is not in the file; its keys`),
        expect.stringMatching(`^Warning: alertEmails of ${first.id} get no mail if the service`),
      ]) {
        expect(different).toContainEqual(line);
      }
      expect((await config('apply', file)).out.split('\n').slice(1)).toEqual(different);
      expect((await config('diff', file)).out).toContain('would change nothing.');
      write({ returnUrl: 'https://third.example/back' });
      expect((await config('diff', file)).out).toContain(
        `Warning: version ${version + 1} was already in force with other contents; raise version`,
      );
    } finally {
      await own.drop();
    }
  });

  it('check says whether a file is right; check and apply name every mistake', async () => {
    expect(await run('config', 'check')).toEqual({
      code: 0,
      out: `OK: ${shipped} (version ${version}) is valid.`,
      error: '',
    });
    const wrong = join(directory, 'wrong.yaml');
    writeFileSync(wrong, 'version: one\nproducts: []\n');
    for (const verb of ['check', 'apply']) {
      const { code, error } = await run('config', verb, wrong);
      expect(code).toBe(1);
      expect(error).toContain('- version must be a whole number');
      expect(error).toContain('- products must be a list of at least 1');
    }
  });
});

describe('config, in production', () => {
  const production = async (settings: object | undefined, verb: 'check' | 'apply') => {
    const own = await createEmptyDatabase();
    const file = join(directory, 'production.yaml');
    writeFileSync(file, productionConfiguration({ settings }));
    const { code, out, error } = await runInProduction(['config', verb, file], {
      DATABASE_URL: own.url,
      DATA_DIR: directory,
    });
    await own.drop();
    const lines = [...out.split('\n'), ...error.split('\n')];
    return { code, warnings: lines.filter((line) => line.startsWith('Warning: ')) };
  };

  it('warns of the sandbox’s polling, subscriptions and texts, and takes them', async () => {
    const settings = {
      pollIntervalSeconds: 2,
      webhookSubscriptionsPerPartner: 200,
      textsPerMobilePerDay: 10_000,
    };
    expect(await production(settings, 'apply')).toEqual({
      code: 0,
      warnings: [
        'Warning: settings.pollIntervalSeconds is 2, the sandbox’s value; the default of production is 5.',
        'Warning: settings.webhookSubscriptionsPerPartner is 200, the sandbox’s value; the default of production is 20.',
        'Warning: settings.textsPerMobilePerDay is 10000, the sandbox’s value; the default of production is 20.',
      ],
    });
    const own = { pollIntervalSeconds: 5, webhookSubscriptionsPerPartner: 100 };
    expect(await production(own, 'check')).toEqual({ code: 0, warnings: [] });
  });
});

describe('keys', () => {
  it('issue shows the key and its secret, and nothing shows them again', async () => {
    const { id, apiKey, secret } = await issue('shown once');
    expect(apiKey).toMatch(/^rinpath_test_[0-9A-Za-z]{36}$/);
    expect(secret).toMatch(/^rinpath_secret_test_[\w-]{43}$/);
    const { code, out } = await run('keys', 'list', '--partner', 'demo');
    expect(code).toBe(0);
    expect(out).toContain(id);
    expect(out).toContain('leads:read products:read');
    expect(out).not.toContain(apiKey);
    expect(out).not.toContain(secret);
    const others = (await run('keys', 'list', '--partner', 'limited')).out;
    expect(others.split('\n')).toHaveLength(2);
    expect((await run('keys', 'list', '--partner', 'unknown')).out).toBe('(none)');
  });

  it('are suspended, resumed and revoked, each once, after which the name is free', async () => {
    const { id } = await issue('in and out');
    const again = () => run(...ISSUE, '--partner', 'demo', '--name', 'in and out');
    expect((await again()).code).toBe(1);
    const steps = [
      ['suspend', 0, `OK: key ${id} is suspended.`],
      ['suspend', 1, `Error: Key ${id} is already suspended.`],
      ['resume', 0, `OK: key ${id} is active.`],
      ['resume', 1, `Error: Key ${id} is not suspended.`],
      ['revoke', 0, `OK: key ${id} is revoked.`],
      ['revoke', 1, `Error: Key ${id} is revoked; that is permanent.`],
      ['resume', 1, `Error: Key ${id} is revoked; that is permanent.`],
    ] as const;
    for (const [verb, code, sentence] of steps) {
      const result = await run('keys', verb, id);
      expect({ code: result.code, text: result.out + result.error }).toEqual({
        code,
        text: sentence,
      });
    }
    expect((await again()).code).toBe(0);
  });

  it('limit changes what is given and leaves the other', async () => {
    const { id } = await issue('limited');
    for (const [option, limit, shown] of [
      ['--minute', '77', '77 +20000'],
      ['--day', '88', '77 +88'],
    ]) {
      expect((await run('keys', 'limit', id, option, limit)).code).toBe(0);
      const { out } = await run('keys', 'list', '--partner', 'demo');
      expect(out).toMatch(new RegExp(`${id}.* ${shown} `));
    }
    expect((await run('keys', 'limit', id)).code).toBe(1);
  });

  it.each([
    ['There is no partner unknown.', ...ISSUE, '--partner', 'unknown', '--name', 'x'],
    ['has a key named demo', ...ISSUE, '--partner', 'demo', '--name', 'demo'],
    [
      'There is no scope all',
      'keys',
      'issue',
      '--partner',
      'demo',
      '--name',
      'x',
      '--scopes',
      'all',
      '--products',
      'X',
    ],
    [
      'There is no product ONLINE_SILVER',
      ...ISSUE.slice(0, -1),
      'ONLINE_SILVER',
      '--partner',
      'demo',
      '--name',
      'x',
    ],
    ['There is no key key_nothing.', 'keys', 'suspend', 'key_nothing'],
    ['There is no partner unknown.', 'partners', 'suspend', 'unknown'],
    ['There is no failed refund rfd_of_nobody.', 'refunds', 'retry', 'rfd_of_nobody'],
  ])('are refused: %s', async (sentence, ...parameters) => {
    expect(await run(...parameters)).toMatchObject({
      code: 1,
      out: '',
      error: expect.stringContaining(sentence) as string,
    });
  });
});

it('partners are listed, suspended and resumed', async () => {
  expect((await run('partners', 'suspend', 'demo')).out).toBe('OK: partner demo is suspended.');
  expect((await run('partners', 'list')).out).toMatch(/^demo .* SUSPENDED \(by command\)/m);
  expect((await run('partners', 'resume', 'demo')).out).toBe('OK: partner demo is active.');
});

describe('used wrongly', () => {
  it.each([
    [[]],
    [['keys']],
    [['keys', 'issue']],
    [['keys', 'list', '--everything']],
    [['keys', 'limit', 'key_1', '--minute', 'many']],
    [['partners', 'suspend', 'demo', 'limited']],
  ])('%j exits with 2', async (parameters) => {
    expect((await run(...parameters)).code).toBe(2);
  });

  it('help is no error', async () => {
    expect(await run('--help')).toMatchObject({ code: 0 });
  });

  it('a command runs in the environment of a service that has its operator’s port open', async () => {
    const operator = createServer();
    operator.listen(0, '127.0.0.1');
    await once(operator, 'listening');
    const { port } = operator.address() as AddressInfo;
    const environment = { OPERATOR_PORT: String(port) };
    const { code, out } = await runAdminWith(environment, database.url, 'partners', 'list');
    operator.close();
    expect(out).toContain('Demonstration Partner');
    expect(code).toBe(0);
  });

  it('a database that is away is reported in one sentence', async () => {
    const { code, error } = await runAdmin('postgres://x:y@127.0.0.1:9/none', 'partners', 'list');
    expect(code).toBe(1);
    expect(error).toBe('Error: The database cannot be reached: connect ECONNREFUSED 127.0.0.1:9');
  });

  it('every error of an environment is printed', async () => {
    const { code, error } = await runCommand(['config', 'check'], {
      MODE: 'production',
      PORT: 'x',
    });
    expect(code).toBe(1);
    expect(error).toContain('MASTER_KEY is required in production');
    expect(error).toContain('PORT must be');
  });
});
